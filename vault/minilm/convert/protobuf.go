package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
)

// A field of a protobuf message: a number, or bytes.
type field struct {
	tag    uint64
	number uint64
	bytes  []byte
}

var errCut = errors.New("a protobuf message is cut off")

// fields reads a message. What is wrong with it comes last, as the error.
func fields(message []byte) iter.Seq2[field, error] {
	return func(yield func(field, error) bool) {
		for len(message) > 0 {
			f, rest, err := nextField(message)
			if !yield(f, err) || err != nil {
				return
			}
			message = rest
		}
	}
}

func nextField(message []byte) (field, []byte, error) {
	key, rest, err := varint(message)
	if err != nil {
		return field{}, nil, err
	}
	f := field{tag: key >> 3}
	switch kind := key & 7; kind {
	case 0:
		f.number, rest, err = varint(rest)
	case 1:
		rest, err = skip(rest, 8)
	case 2:
		f.bytes, rest, err = counted(rest)
	case 5:
		rest, err = skip(rest, 4)
	default:
		err = fmt.Errorf("protobuf wire type %d is not known", kind)
	}
	return f, rest, err
}

func varint(data []byte) (uint64, []byte, error) {
	number, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil, errCut
	}
	return number, data[n:], nil
}

func counted(data []byte) (part, rest []byte, err error) {
	n, rest, err := varint(data)
	if err != nil || n > uint64(len(rest)) {
		return nil, nil, errCut
	}
	return rest[:n], rest[n:], nil
}

func skip(data []byte, n int) ([]byte, error) {
	if len(data) < n {
		return nil, errCut
	}
	return data[n:], nil
}
