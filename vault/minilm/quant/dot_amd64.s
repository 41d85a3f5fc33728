#include "textflag.h"

// Bytes are widened to 16 bits, multiplied, and pairs of products added as 32 bits: nothing is cut off.

// func dotRows4(out *int32, query, rows *int8, rowBytes, n int)
TEXT ·dotRows4(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DX
	MOVQ query+8(FP), SI
	MOVQ rows+16(FP), DI
	MOVQ rowBytes+24(FP), R8
	MOVQ n+32(FP), CX
	LEAQ (DI)(R8*1), R9
	LEAQ (DI)(R8*2), R10
	LEAQ (R9)(R8*2), R11
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ AX, AX

four:
	VPMOVSXBW (SI)(AX*1), Y0
	VPMOVSXBW (DI)(AX*1), Y1
	VPMADDWD Y0, Y1, Y1
	VPADDD Y1, Y4, Y4
	VPMOVSXBW (R9)(AX*1), Y2
	VPMADDWD Y0, Y2, Y2
	VPADDD Y2, Y5, Y5
	VPMOVSXBW (R10)(AX*1), Y1
	VPMADDWD Y0, Y1, Y1
	VPADDD Y1, Y6, Y6
	VPMOVSXBW (R11)(AX*1), Y2
	VPMADDWD Y0, Y2, Y2
	VPADDD Y2, Y7, Y7
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  four

	// Each half of Y4 gets four sums, one of each row.
	VPHADDD Y5, Y4, Y4
	VPHADDD Y7, Y6, Y6
	VPHADDD Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD X5, X4, X4
	VMOVDQU X4, (DX)
	VZEROUPPER
	RET

// func dotRow(query, row *int8, n int) int32
TEXT ·dotRow(SB), NOSPLIT, $0-28
	MOVQ query+0(FP), SI
	MOVQ row+8(FP), DI
	MOVQ n+16(FP), CX
	VPXOR Y4, Y4, Y4
	XORQ AX, AX

one:
	VPMOVSXBW (SI)(AX*1), Y0
	VPMOVSXBW (DI)(AX*1), Y1
	VPMADDWD Y0, Y1, Y1
	VPADDD Y1, Y4, Y4
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  one
	VEXTRACTI128 $1, Y4, X5
	VPADDD X5, X4, X4
	VPHADDD X4, X4, X4
	VPHADDD X4, X4, X4
	VMOVD X4, AX
	MOVL AX, ret+24(FP)
	VZEROUPPER
	RET
