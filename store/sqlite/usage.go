package sqlite

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"rein"
	"rein/store"
)

// quarter is how fine days are divided: every time zone begins its days at a quarter of an hour.
const quarter = 15 * time.Minute

const quartersOfDay = int(24 * time.Hour / quarter)

// A usageDay names a row of view_usage.
type usageDay struct {
	household int64
	user      string
	day       int64
}

// A usageKey names a part of a day.
type usageKey struct {
	quarter int // 0 to 95
	flow    string
}

// A usageSum is what the trees of a part have used.
type usageSum struct {
	runs int64
	used rein.Amount
}

func (s usageSum) plus(t usageSum) usageSum { return usageSum{s.runs + t.runs, s.used.Plus(t.used)} }

type usageParts map[usageKey]usageSum

func (p usageParts) add(key usageKey, runs int64, used rein.Amount) usageParts {
	if p == nil {
		p = usageParts{}
	}
	p[key] = p[key].plus(usageSum{runs, used})
	return p
}

// usageOf says where a tree counts that began then.
func usageOf(household int64, user string, started int64, flow string) (usageDay, usageKey) {
	at := micros(started)
	day := store.Day(at)
	return usageDay{household, user, day}, usageKey{int(at.Sub(dayTime(day)) / quarter), flow}
}

func dayTime(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

// selectUsage reads what a root's tree has used, with what scanUsage needs.
const selectUsage = `SELECT s.household_n, s.user, r.started, r.flow, r.used
	FROM runs r CROSS JOIN sessions s ON s.n = r.session_n`

func scanUsage(r *sql.Rows) (usageDay, usageKey, rein.Amount, error) {
	var household, started int64
	var user, flow string
	var blob []byte
	if err := r.Scan(&household, &user, &started, &flow, &blob); err != nil {
		return usageDay{}, usageKey{}, rein.Amount{}, err
	}
	used, err := unpackAmount(blob)
	day, key := usageOf(household, user, started, flow)
	return day, key, used, err
}

// pack writes the parts in order: quarter, flow, how many trees, and the amount, with the lengths of what
// has one.
func (p usageParts) pack() []byte {
	keys := slices.SortedFunc(maps.Keys(p), func(a, b usageKey) int {
		return cmp.Or(cmp.Compare(a.quarter, b.quarter), cmp.Compare(a.flow, b.flow))
	})
	var b []byte
	for _, key := range keys {
		used := packAmount(p[key].used)
		b = binary.AppendUvarint(b, uint64(key.quarter))
		b = append(binary.AppendUvarint(b, uint64(len(key.flow))), key.flow...)
		b = binary.AppendUvarint(b, uint64(p[key].runs))
		b = append(binary.AppendUvarint(b, uint64(len(used))), used...)
	}
	return b
}

// unpackUsage is the inverse of pack.
func unpackUsage(b []byte) (parts usageParts, err error) {
	err = eachUsage(b, func(key usageKey, sum usageSum) { parts = parts.add(key, sum.runs, sum.used) })
	return parts, err
}

// eachUsage calls do for every part.
func eachUsage(b []byte, do func(usageKey, usageSum)) error {
	r := usageReader{rest: b}
	for len(r.rest) > 0 && !r.bad {
		at, flow, runs, blob := r.number(), r.bytes(), r.number(), r.bytes()
		used, err := unpackAmount(blob)
		if r.bad || err != nil {
			break
		}
		do(usageKey{int(at), string(flow)}, usageSum{int64(runs), used})
	}
	if len(r.rest) > 0 || r.bad {
		return rein.Errorf(rein.CodeDamaged, "the sums of a day cannot be read: run `rein audit recount`")
	}
	return nil
}

type usageReader struct {
	rest []byte
	bad  bool
}

func (r *usageReader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *usageReader) bytes() []byte {
	n := r.number()
	if r.bad || n > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
