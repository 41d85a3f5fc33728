#include "textflag.h"

DATA low4<>+0(SB)/4, $15
GLOBL low4<>(SB), RODATA|NOPTR, $4
DATA minus8<>+0(SB)/4, $(-8.0)
GLOBL minus8<>(SB), RODATA|NOPTR, $4

// One weight of 8 rows: scale * nibble - 8 * scale, rounded once, as (nibble - 8) * scale is.
#define WEIGHT(at) \
	VCVTDQ2PS Y10, Y10; \
	VFMADD213PS Y9, Y8, Y10; \
	VMOVUPS Y10, at(DI)

#define SHIFTED(bits, group, at) \
	VPSRLD bits, group, Y10; \
	VPAND Y15, Y10, Y10; \
	WEIGHT(at)

// Eight weights of 8 rows, which lie in the 32-bit lanes of group.
#define WEIGHTS8(group, at) \
	VPAND Y15, group, Y10; \
	WEIGHT(at); \
	SHIFTED($4, group, at+64); \
	SHIFTED($8, group, at+128); \
	SHIFTED($12, group, at+192); \
	SHIFTED($16, group, at+256); \
	SHIFTED($20, group, at+320); \
	SHIFTED($24, group, at+384); \
	VPSRLD $28, group, Y10; \
	WEIGHT(at+448)

// func unpack8(out *float32, nibbles *byte, rowBytes int, scales *float32, blocks int)
TEXT ·unpack8(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ nibbles+8(FP), SI
	MOVQ rowBytes+16(FP), R8
	MOVQ scales+24(FP), DX
	MOVQ blocks+32(FP), CX
	LEAQ (R8)(R8*2), R9
	LEAQ (SI)(R8*4), R10 // the fifth row
	VPBROADCASTD low4<>(SB), Y15
	VBROADCASTSS minus8<>(SB), Y14

block:
	VMOVUPS (DX), Y8
	VMULPS Y14, Y8, Y9

	// A block of a row is 16 bytes: rows 0 to 3 in the low halves, 4 to 7 in the high ones.
	VMOVDQU (SI), X0
	VINSERTI128 $1, (R10), Y0, Y0
	VMOVDQU (SI)(R8*1), X1
	VINSERTI128 $1, (R10)(R8*1), Y1, Y1
	VMOVDQU (SI)(R8*2), X2
	VINSERTI128 $1, (R10)(R8*2), Y2, Y2
	VMOVDQU (SI)(R9*1), X3
	VINSERTI128 $1, (R10)(R9*1), Y3, Y3

	// Turned, a register has the same eight inputs of all 8 rows.
	VPUNPCKLDQ Y1, Y0, Y4
	VPUNPCKHDQ Y1, Y0, Y5
	VPUNPCKLDQ Y3, Y2, Y6
	VPUNPCKHDQ Y3, Y2, Y7
	VPUNPCKLQDQ Y6, Y4, Y0
	VPUNPCKHQDQ Y6, Y4, Y1
	VPUNPCKLQDQ Y7, Y5, Y2
	VPUNPCKHQDQ Y7, Y5, Y3
	WEIGHTS8(Y0, 0)
	WEIGHTS8(Y1, 512)
	WEIGHTS8(Y2, 1024)
	WEIGHTS8(Y3, 1536)
	ADDQ $16, SI
	ADDQ $16, R10
	ADDQ $64, DX
	ADDQ $2048, DI
	DECQ CX
	JNZ  block
	VZEROUPPER
	RET
