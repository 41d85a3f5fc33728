#include "textflag.h"

// A row of 16 sums is two registers. Each input is multiplied into all of them: Y0 and Y1 hold what the
// panel has for it, Y2 and Y3 the inputs of two rows.
#define ROWS2(in0, in1, a0, a1, b0, b1) \
	VBROADCASTSS in0, Y2; \
	VBROADCASTSS in1, Y3; \
	VFMADD231PS Y0, Y2, a0; \
	VFMADD231PS Y1, Y2, a1; \
	VFMADD231PS Y0, Y3, b0; \
	VFMADD231PS Y1, Y3, b1

#define STORE(a0, a1) \
	VMOVUPS a0, (DX); \
	VMOVUPS a1, 32(DX); \
	ADDQ R9, DX

// func multiply6(depth int, in *float32, inWidth int, panel, out *float32, outWidth int, start *float32)
TEXT ·multiply6(SB), NOSPLIT, $0-56
	MOVQ depth+0(FP), CX
	MOVQ in+8(FP), SI
	MOVQ inWidth+16(FP), R8
	MOVQ panel+24(FP), DI
	MOVQ out+32(FP), DX
	MOVQ outWidth+40(FP), R9
	MOVQ start+48(FP), AX
	LEAQ (R8)(R8*2), R11
	ADDQ SI, R11 // the fourth row
	VMOVUPS (AX), Y4
	VMOVUPS 32(AX), Y5
	VMOVAPS Y4, Y6
	VMOVAPS Y5, Y7
	VMOVAPS Y4, Y8
	VMOVAPS Y5, Y9
	VMOVAPS Y4, Y10
	VMOVAPS Y5, Y11
	VMOVAPS Y4, Y12
	VMOVAPS Y5, Y13
	VMOVAPS Y4, Y14
	VMOVAPS Y5, Y15

input6:
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	ROWS2((SI), (SI)(R8*1), Y4, Y5, Y6, Y7)
	ROWS2((SI)(R8*2), (R11), Y8, Y9, Y10, Y11)
	ROWS2((R11)(R8*1), (R11)(R8*2), Y12, Y13, Y14, Y15)
	ADDQ $64, DI
	ADDQ $4, SI
	ADDQ $4, R11
	DECQ CX
	JNZ  input6
	STORE(Y4, Y5)
	STORE(Y6, Y7)
	STORE(Y8, Y9)
	STORE(Y10, Y11)
	STORE(Y12, Y13)
	STORE(Y14, Y15)
	VZEROUPPER
	RET

// func multiply4(depth int, in *float32, inWidth int, panel, out *float32, outWidth int, start *float32)
TEXT ·multiply4(SB), NOSPLIT, $0-56
	MOVQ depth+0(FP), CX
	MOVQ in+8(FP), SI
	MOVQ inWidth+16(FP), R8
	MOVQ panel+24(FP), DI
	MOVQ out+32(FP), DX
	MOVQ outWidth+40(FP), R9
	MOVQ start+48(FP), AX
	LEAQ (R8)(R8*2), R11
	ADDQ SI, R11 // the fourth row
	VMOVUPS (AX), Y4
	VMOVUPS 32(AX), Y5
	VMOVAPS Y4, Y6
	VMOVAPS Y5, Y7
	VMOVAPS Y4, Y8
	VMOVAPS Y5, Y9
	VMOVAPS Y4, Y10
	VMOVAPS Y5, Y11

input4:
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	ROWS2((SI), (SI)(R8*1), Y4, Y5, Y6, Y7)
	ROWS2((SI)(R8*2), (R11), Y8, Y9, Y10, Y11)
	ADDQ $64, DI
	ADDQ $4, SI
	ADDQ $4, R11
	DECQ CX
	JNZ  input4
	STORE(Y4, Y5)
	STORE(Y6, Y7)
	STORE(Y8, Y9)
	STORE(Y10, Y11)
	VZEROUPPER
	RET
