// The components of a propositional network, and what the play-out controller is made of.

module pn_const #(parameter VALUE = 1'b0) (output out);
  assign out = VALUE;
endmodule

module pn_and #(parameter WIDTH = 2) (input [WIDTH-1:0] in, output out);
  assign out = &in;
endmodule

module pn_or #(parameter WIDTH = 2) (input [WIDTH-1:0] in, output out);
  assign out = |in;
endmodule

module pn_not (input in, output out);
  assign out = ~in;
endmodule

module pn_prop (input in, output out);
  assign out = in;
endmodule

// One step of delay. Its output is the base proposition; a state can be written into it.
module pn_transition (input clk, input load, input value, input step, input in, output reg out);
  always @(posedge clk)
    if (load) out <= value;
    else if (step) out <= in;
endmodule
