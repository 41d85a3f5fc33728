//go:build !amd64

package minilm

func fastest() kernels { return portable }
