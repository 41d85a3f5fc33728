package vault

import (
	"fmt"

	"rein/vault/chunk"
)

// HasHash reports whether a hash that was told of a note still holds: that of the whole note, or that of
// the characters from start to end.
func (v *Vault) HasHash(path string, start, end int, hash string) (bool, error) {
	_, raw, err := v.readAllowed(path)
	if err != nil {
		return false, err
	}
	from := ahead(raw, 0, len(raw), start)
	to := ahead(raw, from, len(raw), end-start)
	for _, text := range [][]byte{raw, raw[from:to]} {
		if fmt.Sprintf("%x", chunk.HashOf(text)) == hash {
			return true, nil
		}
	}
	return false, nil
}
