package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

const (
	hidden    = 384
	inner     = 1536
	layers    = 6
	words     = 30522
	positions = 512
	blockSize = 32
)

// makeBlob puts the parameters together in the order that PROVENANCE.md has.
func makeBlob(tensors map[string][]byte) ([]byte, error) {
	b := &builder{tensors: tensors, blob: []byte("MLM1")}
	table := b.floats(".model.embeddings.word_embeddings.weight", words*hidden)
	place := b.floats(".model.embeddings.position_embeddings.weight", positions*hidden)
	kind := b.floats(".model.embeddings.token_type_embeddings.weight", 2*hidden)
	if b.err != nil {
		return nil, b.err
	}
	rows, scales := roundRows(table, hidden)
	b.blob = append(b.blob, rows...)
	b.write(scales)
	for i := range place {
		place[i] += kind[i%hidden] // all texts are of the first kind
	}
	b.write(place)
	b.norm("model.layers.-1.embeddings_norm_layernorm")
	for i := range layers {
		b.layer(fmt.Sprintf("model.layers.%d.", i))
	}
	return b.blob, b.err
}

// roundRows makes signed bytes of each row, with a scale that fits its largest number.
func roundRows(table []float32, width int) (rows []byte, scales []float32) {
	for ; len(table) >= width; table = table[width:] {
		var reach float32
		for _, v := range table[:width] {
			reach = max(reach, float32(math.Abs(float64(v))))
		}
		scale := reach / 127
		scales = append(scales, scale)
		for _, v := range table[:width] {
			var rounded float64
			if scale > 0 {
				rounded = math.RoundToEven(float64(v / scale))
			}
			rows = append(rows, byte(int8(rounded)))
		}
	}
	return rows, scales
}

// A builder appends tensors to the blob, until one is missing.
type builder struct {
	tensors map[string][]byte
	blob    []byte
	err     error
}

func (b *builder) layer(prefix string) {
	b.matrix(prefix+"attn.q_proj", hidden, hidden)
	b.matrix(prefix+"attn.k_proj", hidden, hidden)
	b.matrix(prefix+"attn.v_proj", hidden, hidden)
	b.matrix(prefix+"attn.o_proj", hidden, hidden)
	b.norm(prefix + "attention_output_norm_layernorm")
	b.matrix(prefix+"mlp.fc1", inner, hidden)
	b.matrix(prefix+"mlp.fc2", hidden, inner)
	b.norm(prefix + "mlp_output_norm_layernorm")
}

// matrix copies weights and scales as they are: both formats have blocks of 32.
func (b *builder) matrix(name string, outputs, inputs int) {
	b.copy(name+".MatMul.weight_Q4", outputs*inputs/2)
	b.copy(name+".MatMul.weight_scales", 4*outputs*inputs/blockSize)
	b.copy(name+".Add.bias", 4*outputs)
}

func (b *builder) norm(name string) {
	b.copy(name+".weight", 4*hidden)
	b.copy(name+".bias", 4*hidden)
}

func (b *builder) copy(name string, size int) { b.blob = append(b.blob, b.take(name, size)...) }

func (b *builder) take(name string, size int) []byte {
	data, ok := b.tensors[name]
	if b.err == nil && (!ok || len(data) != size) {
		b.err = fmt.Errorf("tensor %s has %d bytes; want %d", name, len(data), size)
	}
	return data
}

func (b *builder) floats(name string, n int) []float32 {
	data := b.take(name, 4*n)
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

func (b *builder) write(values []float32) {
	for _, v := range values {
		b.blob = binary.LittleEndian.AppendUint32(b.blob, math.Float32bits(v))
	}
}
