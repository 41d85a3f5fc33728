package minilm

import (
	"errors"
	"testing"

	"rein"
)

func TestDamagedWeights(t *testing.T) {
	for name, data := range map[string]string{
		"none":      "",
		"other":     "GGUF" + blob[4:],
		"cut off":   blob[:len(blob)-1],
		"half":      blob[:len(blob)/2],
		"continued": blob + "x",
	} {
		if _, err := readWeights(data); !errors.Is(err, &rein.Error{Code: rein.CodeDamaged}) {
			t.Errorf("%s: %v; want code %s", name, err, rein.CodeDamaged)
		}
	}
}
