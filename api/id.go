package api

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"time"

	"rein"
)

// sortable is base 32 in the order of its letters, so that texts sort as the bytes do.
var sortable = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewRunID makes an ID for a root run. IDs of later milliseconds sort after those of earlier ones;
// the rest is chance.
func NewRunID(now time.Time) rein.RunID {
	var b [15]byte
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(max(now.UnixMilli(), 0)))
	copy(b[:6], ms[2:])
	rand.Read(b[6:])
	return rein.RunID("r" + sortable.EncodeToString(b[:]))
}
