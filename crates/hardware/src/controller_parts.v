// xoshiro256++: 64 random bits a step. `word` holds the next bits to be used; a step uses them up.
module pn_random (
    input clk, input step, input write, input [2:0] index, input [31:0] value,
    output reg [63:0] word
);
  reg [63:0] s0, s1, s2, s3;
  wire [63:0] sum = s0 + s3;
  wire [63:0] x2 = s2 ^ s0;
  wire [63:0] x3 = s3 ^ s1;
  always @(posedge clk)
    if (write)
      case (index)
        3'd0: s0[31:0] <= value;
        3'd1: s0[63:32] <= value;
        3'd2: s1[31:0] <= value;
        3'd3: s1[63:32] <= value;
        3'd4: s2[31:0] <= value;
        3'd5: s2[63:32] <= value;
        3'd6: s3[31:0] <= value;
        default: s3[63:32] <= value;
      endcase
    else if (step) begin
      word <= {sum[40:0], sum[63:41]} + s0;
      s0 <= s0 ^ x3;
      s1 <= s1 ^ x2;
      s2 <= x2 ^ {s1[46:0], 17'd0};
      s3 <= {x3[18:0], x3[63:19]};
    end
endmodule

// A number below `count` from random bits, each equally likely: the fewest bits that can hold it,
// and another try if they are too large. The first of TRIES tries that succeeds counts.
module pn_draw #(parameter LEVELS = 1, parameter TRIES = 1) (
    input [LEVELS:0] count, input [LEVELS*TRIES-1:0] bits,
    output reg [LEVELS-1:0] rank, output reg ok
);
  wire [LEVELS:0] most = count - 1'b1;
  reg [LEVELS-1:0] mask;
  integer shift, attempt;
  always @* begin
    mask = most[LEVELS-1:0];
    for (shift = 1; shift < LEVELS; shift = shift * 2) mask = mask | (mask >> shift);
    rank = {LEVELS{1'b0}};
    ok = 1'b0;
    for (attempt = TRIES - 1; attempt >= 0; attempt = attempt - 1)
      if ({1'b0, bits[attempt*LEVELS +: LEVELS] & mask} < count) begin
        rank = bits[attempt*LEVELS +: LEVELS] & mask;
        ok = 1'b1;
      end
  end
endmodule

// Counts the legal moves in a tree, and finds the one with number `rank` going down the same tree.
// Counts are kept when `hold` is set, so that counting and finding are two short steps.
module pn_choice #(parameter WIDTH = 1, parameter LEVELS = 0) (
    input clk, input hold, input [WIDTH-1:0] legal, input hit, input [LEVELS:0] rank,
    output [LEVELS:0] count, output [WIDTH-1:0] chosen
);
  localparam HALF = LEVELS == 0 ? 1 : 1 << (LEVELS - 1);
  generate
    if (LEVELS == 0) begin : leaf
      assign count = legal;
      assign chosen = hit;
    end else if (WIDTH <= HALF) begin : narrow
      wire [LEVELS-1:0] below;
      pn_choice #(.WIDTH(WIDTH), .LEVELS(LEVELS - 1)) only (
          .clk(clk), .hold(hold), .legal(legal), .hit(hit), .rank(rank[LEVELS-1:0]),
          .count(below), .chosen(chosen));
      assign count = {1'b0, below};
    end else begin : split
      wire [LEVELS-1:0] low, high;
      reg [LEVELS-1:0] held;
      always @(posedge clk) if (hold) held <= low;
      wire left = rank < {1'b0, held};
      wire [LEVELS:0] rest = rank - {1'b0, held};
      pn_choice #(.WIDTH(HALF), .LEVELS(LEVELS - 1)) lower (
          .clk(clk), .hold(hold), .legal(legal[HALF-1:0]), .hit(hit & left),
          .rank(rank[LEVELS-1:0]), .count(low), .chosen(chosen[HALF-1:0]));
      pn_choice #(.WIDTH(WIDTH - HALF), .LEVELS(LEVELS - 1)) upper (
          .clk(clk), .hold(hold), .legal(legal[WIDTH-1:HALF]), .hit(hit & ~left),
          .rank(rest[LEVELS-1:0]), .count(high), .chosen(chosen[WIDTH-1:HALF]));
      assign count = {1'b0, low} + {1'b0, high};
    end
  endgenerate
endmodule
