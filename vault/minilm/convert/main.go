// Convert makes vault/minilm/data/minilm.blob from the 4-bit ONNX files of all-MiniLM-L6-v2. The
// second ONNX file must be in the same folder as the one that is named:
//
//	go run ./vault/minilm/convert model_q4.onnx minilm.blob
//
// vault/minilm/data/PROVENANCE.md says where to get the files and what the result must be.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// sources are the files that are converted, with their SHA-256. Others could have the same names of
// tensors and another meaning.
var sources = map[string]string{
	"model_q4.onnx":      "e4dcb918111189b7686147e309379832fce83d4ecbf17c395961749b5788c786",
	"model_q4.onnx_data": "56fb7a55115e900196115a74e399beb45c2f41ae00b99525d46fb52935c4ee2a",
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: convert model_q4.onnx minilm.blob")
		os.Exit(2)
	}
	if err := convert(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func convert(from, to string) error {
	folder, err := os.OpenRoot(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer folder.Close()
	model, err := readSource(folder, filepath.Base(from))
	if err != nil {
		return err
	}
	tensors, err := readTensors(model, func(name string) ([]byte, error) { return readSource(folder, name) })
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	blob, err := makeBlob(tensors)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if err := os.WriteFile(to, blob, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, SHA-256 %s\n", to, len(blob), sum(blob))
	return nil
}

func readSource(folder *os.Root, name string) ([]byte, error) {
	want, ok := sources[name]
	if !ok {
		return nil, fmt.Errorf("%s is none of the files that can be converted: model_q4.onnx and model_q4.onnx_data", name)
	}
	data, err := folder.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if got := sum(data); got != want {
		return nil, fmt.Errorf("%s has SHA-256 %s; want %s: take the one that PROVENANCE.md names", name, got, want)
	}
	return data, nil
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
