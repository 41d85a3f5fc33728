// Package bounded reads the answers of model servers, which are not trusted to end.
package bounded

import "io"

// A Body is one that fails once too much was read of it, and that reports every piece that
// arrives.
type Body struct {
	io.ReadCloser
	Left    int64  // how many bytes may still be read
	TooMuch error  // what it fails with after them
	Alive   func() // called for each piece, so that whoever waits knows that the server still answers; may be nil
}

func (b *Body) Read(p []byte) (int, error) {
	if b.Left <= 0 {
		return 0, b.TooMuch
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.Left)])
	b.Left -= int64(n)
	if n > 0 && b.Alive != nil {
		b.Alive()
	}
	return n, err
}
