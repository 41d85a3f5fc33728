package main

import (
	"fmt"
	"strconv"
)

// Numbers of fields in ONNX's protobuf messages.
const (
	modelGraph       = 7
	graphInitializer = 5
	tensorName       = 8
	tensorRaw        = 9
	tensorExternal   = 13
	externalKey      = 1
	externalValue    = 2
	externalLocation = "location"
	externalOffset   = "offset"
	externalLength   = "length"
)

// readTensors returns the bytes of all parameters of a model by their names. Those in other files are
// read by file.
func readTensors(model []byte, file func(name string) ([]byte, error)) (map[string][]byte, error) {
	tensors := map[string][]byte{}
	files := &fileCache{read: file, known: map[string][]byte{}}
	for f, err := range fields(model) {
		if err != nil {
			return nil, err
		}
		if f.tag == modelGraph {
			if err := readGraph(tensors, f.bytes, files); err != nil {
				return nil, err
			}
		}
	}
	return tensors, nil
}

func readGraph(tensors map[string][]byte, graph []byte, files *fileCache) error {
	for f, err := range fields(graph) {
		if err != nil {
			return err
		}
		if f.tag != graphInitializer {
			continue
		}
		name, data, err := readTensor(f.bytes, files)
		if err != nil {
			return fmt.Errorf("tensor %s: %w", name, err)
		}
		tensors[name] = data
	}
	return nil
}

func readTensor(message []byte, files *fileCache) (name string, data []byte, err error) {
	external := map[string]string{}
	for f, err := range fields(message) {
		if err != nil {
			return name, nil, err
		}
		switch f.tag {
		case tensorName:
			name = string(f.bytes)
		case tensorRaw:
			data = f.bytes
		case tensorExternal:
			key, value, err := readEntry(f.bytes)
			if err != nil {
				return name, nil, err
			}
			external[key] = value
		}
	}
	if external[externalLocation] != "" {
		data, err = files.part(external)
	}
	return name, data, err
}

func readEntry(message []byte) (key, value string, err error) {
	for f, err := range fields(message) {
		if err != nil {
			return "", "", err
		}
		switch f.tag {
		case externalKey:
			key = string(f.bytes)
		case externalValue:
			value = string(f.bytes)
		}
	}
	return key, value, nil
}

// A fileCache reads each file once.
type fileCache struct {
	read  func(name string) ([]byte, error)
	known map[string][]byte
}

func (c *fileCache) part(external map[string]string) ([]byte, error) {
	name := external[externalLocation]
	data, ok := c.known[name]
	if !ok {
		var err error
		if data, err = c.read(name); err != nil {
			return nil, err
		}
		c.known[name] = data
	}
	size := uint64(len(data))
	offset, err1 := strconv.ParseUint(external[externalOffset], 10, 63)
	length, err2 := strconv.ParseUint(external[externalLength], 10, 63)
	if err1 != nil || err2 != nil || offset > size || length > size-offset {
		return nil, fmt.Errorf("%s has no %q bytes at %q", name, external[externalLength], external[externalOffset])
	}
	return data[offset:][:length], nil
}
