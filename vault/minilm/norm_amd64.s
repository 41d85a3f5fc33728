#include "textflag.h"

// SUM makes all lanes of y the sum of its lanes; x is its low half. It uses X7.
#define SUM(x, y) \
	VEXTRACTF128 $1, y, X7; \
	VADDPS X7, x, x; \
	VPERMILPS $0x4e, x, X7; \
	VADDPS X7, x, x; \
	VPERMILPS $0xb1, x, X7; \
	VADDPS X7, x, x; \
	VBROADCASTSS x, y

// func addNorm8(x, y, weight, bias *float32, n int, epsilon float32)
TEXT ·addNorm8(SB), NOSPLIT, $0-44
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ weight+16(FP), R8
	MOVQ bias+24(FP), R9
	MOVQ n+32(FP), CX
	VCVTSI2SSQ CX, X6, X6
	VBROADCASTSS X6, Y6 // n
	SHLQ $2, CX // bytes
	VXORPS Y0, Y0, Y0
	XORQ AX, AX

add:
	VMOVUPS (SI)(AX*1), Y1
	VADDPS (DI)(AX*1), Y1, Y1
	VMOVUPS Y1, (SI)(AX*1)
	VADDPS Y1, Y0, Y0
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  add
	SUM(X0, Y0)
	VDIVPS Y6, Y0, Y0 // mean
	VXORPS Y2, Y2, Y2
	XORQ AX, AX

square:
	VMOVUPS (SI)(AX*1), Y1
	VSUBPS Y0, Y1, Y1
	VFMADD231PS Y1, Y1, Y2
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  square
	SUM(X2, Y2)
	VDIVPS Y6, Y2, Y2
	VBROADCASTSS epsilon+40(FP), Y3
	VADDPS Y3, Y2, Y2
	VSQRTPS Y2, Y2
	VDIVPS Y2, Y6, Y2
	VDIVPS Y6, Y2, Y2 // one over the standard deviation
	XORQ AX, AX

normalise:
	VMOVUPS (SI)(AX*1), Y1
	VSUBPS Y0, Y1, Y1
	VMULPS Y2, Y1, Y1
	VMOVUPS (R9)(AX*1), Y4
	VFMADD231PS (R8)(AX*1), Y1, Y4
	VMOVUPS Y4, (SI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  normalise
	VZEROUPPER
	RET
