package main

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// part encodes a field that has bytes.
func part(tag uint64, content ...string) string {
	all := strings.Join(content, "")
	out := binary.AppendUvarint(nil, tag<<3|2)
	out = binary.AppendUvarint(out, uint64(len(all)))
	return string(out) + all
}

func entry(key, value string) string {
	return part(tensorExternal, part(externalKey, key), part(externalValue, value))
}

func TestReadTensors(t *testing.T) {
	model := part(modelGraph,
		"\x08\x05", // a number, a field of 64 and one of 32 bits: passed over
		"\x11\x00\x00\x00\x00\x00\x00\x00\x00",
		"\x1d\x00\x00\x00\x00",
		part(graphInitializer, part(tensorName, "inside"), part(tensorRaw, "raw")),
		part(graphInitializer, part(tensorName, "outside"), entry("location", "data"), entry("offset", "2"), entry("length", "3")),
	)
	got, err := readTensors([]byte(model), func(string) ([]byte, error) { return []byte("0123456"), nil })
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{"inside": []byte("raw"), "outside": []byte("234")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBadModels(t *testing.T) {
	tensor := func(entries ...string) string {
		return part(modelGraph, part(graphInitializer, part(tensorName, "x"), strings.Join(entries, "")))
	}
	for name, model := range map[string]string{
		"cut off":          part(modelGraph, "abc")[:3],
		"endless number":   strings.Repeat("\xff", 20),
		"wire type":        "\x0b",
		"cut 64 bits":      "\x11\x00",
		"graph":            part(modelGraph, "\x2a\x7f"),
		"tensor":           part(modelGraph, part(graphInitializer, "\x2a\x7f")),
		"entry":            tensor(part(tensorExternal, "\x2a\x7f")),
		"no offset":        tensor(entry("location", "data")),
		"beyond the end":   tensor(entry("location", "data"), entry("offset", "1"), entry("length", "7")),
		"offset too large": tensor(entry("location", "data"), entry("offset", "9223372036854775807"), entry("length", "9223372036854775807")),
		"no file":          tensor(entry("location", "other"), entry("offset", "0"), entry("length", "1")),
	} {
		_, err := readTensors([]byte(model), func(name string) ([]byte, error) {
			if name != "data" {
				return nil, errors.New("no such file")
			}
			return []byte("0123456"), nil
		})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzReadTensors(f *testing.F) {
	f.Add([]byte(part(modelGraph, part(graphInitializer, part(tensorName, "x"), entry("location", "data"), entry("offset", "2")))))
	f.Fuzz(func(_ *testing.T, model []byte) {
		_, _ = readTensors(model, func(string) ([]byte, error) { return []byte("0123456"), nil })
	})
}

func TestRoundRows(t *testing.T) {
	rows, scales := roundRows([]float32{127, -63.5, 0, 0, 0, 0, -0.5, 0.25, 0.125}, 3)
	wantRows := []int8{127, -64, 0, 0, 0, 0, -127, 64, 32}
	for i, want := range wantRows {
		if got := int8(rows[i]); got != want {
			t.Errorf("number %d is %d; want %d", i, got, want)
		}
	}
	if diff := cmp.Diff([]float32{1, 0, 0.5 / 127}, scales); diff != "" {
		t.Error(diff)
	}
}

func TestMissingTensor(t *testing.T) {
	if _, err := makeBlob(nil); err == nil || !strings.Contains(err.Error(), "word_embeddings.weight has 0 bytes") {
		t.Errorf("%v; want an error that names the tensor", err)
	}
	b := &builder{tensors: map[string][]byte{"x.weight": make([]byte, 4*hidden), "x.bias": nil}}
	if b.norm("x"); b.err == nil || !strings.Contains(b.err.Error(), "x.bias has 0 bytes; want 1536") {
		t.Errorf("%v; want an error about x.bias", b.err)
	}
}

// Floats are written as they are read.
func TestFloats(t *testing.T) {
	b := &builder{}
	want := []float32{0, -1.5, math.MaxFloat32}
	b.write(want)
	b.tensors = map[string][]byte{"x": b.blob}
	if diff := cmp.Diff(want, b.floats("x", 3)); diff != "" || b.err != nil {
		t.Error(diff, b.err)
	}
}

func TestOtherSourcesAreRefused(t *testing.T) {
	folder := t.TempDir()
	to := filepath.Join(folder, "out")
	for _, name := range []string{"model_q4.onnx", "other.onnx"} {
		from := filepath.Join(folder, name)
		if err := os.WriteFile(from, []byte("not the model"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := convert(from, to); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v; want an error that names it", name, err)
		}
	}
	if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}
