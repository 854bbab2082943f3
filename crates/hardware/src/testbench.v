// Replays recorded exchanges between host and hardware and compares every answer.
`timescale 1ns / 1ps
module testbench #(parameter ADDRESS = @ADDRESS@, parameter COUNT = @COUNT@);
  reg clk = 0, reset = 1, write = 0;
  reg [ADDRESS-1:0] address = 0;
  reg [31:0] write_data = 0;
  wire [31:0] read_data;
  wire busy;
  reg [63:0] exchanges [0:COUNT-1];
  integer at, wrong;

  playout hardware (
      .clk(clk), .reset(reset), .write(write), .address(address), .write_data(write_data),
      .read_data(read_data), .busy(busy));

  task tick;
    begin
      #5 clk = 1;
      #5 clk = 0;
    end
  endtask

  initial begin
    $readmemh("vectors.hex", exchanges);
    wrong = 0;
    tick;
    tick;
    reset = 0;
    for (at = 0; at < COUNT; at = at + 1) begin
      address = exchanges[at][32 +: ADDRESS];
      write_data = exchanges[at][31:0];
      case (exchanges[at][63:56])
        8'd1: begin
          write = 1;
          tick;
          write = 0;
        end
        8'd2: begin
          tick;
          if (read_data !== write_data) begin
            wrong = wrong + 1;
            $display("exchange %0d: word %0d is %h, expected %h", at, address, read_data,
                     write_data);
          end
        end
        default: while (busy) tick;
      endcase
    end
    if (wrong == 0) $display("PASS: %0d exchanges", COUNT);
    else $display("FAIL: %0d of %0d exchanges", wrong, COUNT);
    $finish;
  end
endmodule
