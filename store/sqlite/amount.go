package sqlite

import (
	"encoding/binary"
	"time"

	"rein"
)

// maxPart bounds a part of an amount, so that no sum of a ledger can overflow.
const maxPart = 1 << 53

// packAmount writes a bit per part that is not zero, then those parts as varints; nil if all are
// zero, which is what most events spend.
func packAmount(a rein.Amount) []byte {
	if a == (rein.Amount{}) {
		return nil
	}
	b := make([]byte, 1, 16)
	for i, part := range a.Parts() {
		if part != 0 {
			b[0] |= 1 << i
			b = binary.AppendVarint(b, part)
		}
	}
	return b
}

// unpackAmount is the inverse of packAmount.
func unpackAmount(b []byte) (rein.Amount, error) {
	if len(b) == 0 {
		return rein.Amount{}, nil
	}
	var parts [len(rein.Dimensions)]int64
	mask, rest := b[0], b[1:]
	for i := range parts {
		if mask&(1<<i) == 0 {
			continue
		}
		v, n := binary.Varint(rest)
		if n <= 0 {
			return rein.Amount{}, rein.Errorf(rein.CodeDamaged, "amount %x cannot be read", b)
		}
		parts[i], rest = v, rest[n:]
	}
	if len(rest) > 0 || mask>>len(parts) != 0 {
		return rein.Amount{}, rein.Errorf(rein.CodeDamaged, "amount %x cannot be read", b)
	}
	return rein.AmountOf(parts), nil
}

func checkAmount(a rein.Amount) error {
	for i, part := range a.Parts() {
		if part > maxPart || part < -maxPart {
			return rein.Errorf(rein.CodeInvalid, "spend of %d %s is out of range", part, rein.Dimensions[i])
		}
	}
	return nil
}

// stamp brings a time into the form that it has when it is read back.
func stamp(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMicro(t.UnixMicro()).UTC()
}
