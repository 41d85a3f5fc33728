#include "textflag.h"

// A constant eight times, as the kernels read it. The numbers are those of portable.go.
#define LANES(name, value) \
	DATA name<>+0(SB)/4, value; \
	DATA name<>+4(SB)/4, value; \
	DATA name<>+8(SB)/4, value; \
	DATA name<>+12(SB)/4, value; \
	DATA name<>+16(SB)/4, value; \
	DATA name<>+20(SB)/4, value; \
	DATA name<>+24(SB)/4, value; \
	DATA name<>+28(SB)/4, value; \
	GLOBL name<>(SB), RODATA|NOPTR, $32

LANES(one, $(1.0))
LANES(half, $(0.5))
LANES(absolute, $0x7fffffff)
LANES(rootHalf, $(0.70710678118654752440))

LANES(lowest, $(-87.0))
LANES(log2e, $(1.44269504088896340736))
LANES(ln2high, $(0.693359375))
LANES(ln2low, $(-2.12194440e-4))
LANES(exp0, $(1.9875691500e-4))
LANES(exp1, $(1.3981999507e-3))
LANES(exp2, $(8.3334519073e-3))
LANES(exp3, $(4.1665795894e-2))
LANES(exp4, $(1.6666665459e-1))
LANES(exp5, $(5.0000001201e-1))
LANES(bias127, $127)

LANES(erfp, $(0.3275911))
LANES(erf5, $(1.061405429))
LANES(erf4, $(-1.453152027))
LANES(erf3, $(1.421413741))
LANES(erf2, $(-0.284496736))
LANES(erf1, $(0.254829592))

// EXP makes Y7 = e to the power of Y5, which is zero or less; it uses Y5, Y6 and Y8.
#define EXP \
	VMAXPS lowest<>(SB), Y5, Y5; \
	VMULPS log2e<>(SB), Y5, Y6; \
	VROUNDPS $0, Y6, Y6; \
	VFNMADD231PS ln2high<>(SB), Y6, Y5; \
	VFNMADD231PS ln2low<>(SB), Y6, Y5; \
	VMOVUPS exp0<>(SB), Y7; \
	VFMADD213PS exp1<>(SB), Y5, Y7; \
	VFMADD213PS exp2<>(SB), Y5, Y7; \
	VFMADD213PS exp3<>(SB), Y5, Y7; \
	VFMADD213PS exp4<>(SB), Y5, Y7; \
	VFMADD213PS exp5<>(SB), Y5, Y7; \
	VMULPS Y5, Y5, Y8; \
	VFMADD213PS Y5, Y8, Y7; \
	VADDPS one<>(SB), Y7, Y7; \
	VCVTPS2DQ Y6, Y6; \
	VPADDD bias127<>(SB), Y6, Y6; \
	VPSLLD $23, Y6, Y6; \
	VMULPS Y6, Y7, Y7

// func gelu8(x *float32, n int)
TEXT ·gelu8(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	SHRQ $3, CX
	VMOVUPS one<>(SB), Y9

activate:
	VMOVUPS (SI), Y0
	VANDPS absolute<>(SB), Y0, Y1
	VMULPS rootHalf<>(SB), Y1, Y2 // z
	VMOVAPS Y9, Y3
	VFMADD231PS erfp<>(SB), Y2, Y3
	VDIVPS Y3, Y9, Y3 // t = 1 / (1 + p z)
	VMOVUPS erf5<>(SB), Y4
	VFMADD213PS erf4<>(SB), Y3, Y4
	VFMADD213PS erf3<>(SB), Y3, Y4
	VFMADD213PS erf2<>(SB), Y3, Y4
	VFMADD213PS erf1<>(SB), Y3, Y4
	VMULPS Y3, Y4, Y4
	VMULPS Y2, Y2, Y5
	VXORPS Y6, Y6, Y6
	VSUBPS Y5, Y6, Y5
	EXP
	VFNMADD213PS Y9, Y7, Y4 // erf z = 1 - polynomial * e^-zz
	VFMADD213PS Y0, Y1, Y4 // x + |x| erf z
	VMULPS half<>(SB), Y4, Y4
	VMOVUPS Y4, (SI)
	ADDQ $32, SI
	DECQ CX
	JNZ  activate
	VZEROUPPER
	RET

// func softmax8(x *float32, n int, scale float32)
TEXT ·softmax8(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	SHRQ $3, CX
	VBROADCASTSS scale+16(FP), Y10
	MOVQ SI, DI
	MOVQ CX, DX
	VMOVUPS (SI), Y0

largest:
	VMAXPS (DI), Y0, Y0
	ADDQ $32, DI
	DECQ DX
	JNZ  largest
	VEXTRACTF128 $1, Y0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0x4e, X0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0xb1, X0, X1
	VMAXPS X1, X0, X0
	VBROADCASTSS X0, Y11
	VXORPS Y12, Y12, Y12
	MOVQ SI, DI
	MOVQ CX, DX

power:
	VMOVUPS (DI), Y5
	VSUBPS Y11, Y5, Y5
	VMULPS Y10, Y5, Y5
	EXP
	VMOVUPS Y7, (DI)
	VADDPS Y7, Y12, Y12
	ADDQ $32, DI
	DECQ DX
	JNZ  power
	VEXTRACTF128 $1, Y12, X1
	VADDPS X1, X12, X12
	VPERMILPS $0x4e, X12, X1
	VADDPS X1, X12, X12
	VPERMILPS $0xb1, X12, X1
	VADDPS X1, X12, X12
	VBROADCASTSS X12, Y12
	VMOVUPS one<>(SB), Y0
	VDIVPS Y12, Y0, Y12

share:
	VMULPS (SI), Y12, Y0
	VMOVUPS Y0, (SI)
	ADDQ $32, SI
	DECQ CX
	JNZ  share
	VZEROUPPER
	RET
