package rein

import (
	"context"
	"fmt"
	"strings"
)

// An Image is for a model that can see. It has data, a URL, or the hash of what a log keeps.
//
// A log names an image by its hash and does not hold the image itself: the store keeps each content once per
// household, for as long as a run that has it is not erased. So an image that comes from a log has no data. A model
// gets the data with [ModelRequest.Image].
type Image struct {
	Type   string `json:"type,omitempty"` // image/png …
	Name   string `json:"name,omitempty"` // the name of the file that it comes from, if there is one
	Data   []byte `json:"data,omitempty"`
	URL    string `json:"url,omitempty"`
	SHA256 Hash   `json:"sha256,omitzero"` // the hash of the data
	Size   int64  `json:"size,omitempty"`  // bytes
	Width  int    `json:"width,omitempty"` // pixels
	Height int    `json:"height,omitempty"`
}

// IsReference reports whether only a store has the image's data.
func (i Image) IsReference() bool { return len(i.Data) == 0 && i.URL == "" && i.SHA256 != Hash{} }

// String describes the image for a model that cannot see, and for people who read a log:
// [image image/png 640×480, 12 kB, file chart.png].
func (i Image) String() string {
	var b strings.Builder
	b.WriteString("[image")
	if i.Type != "" {
		b.WriteString(" " + i.Type)
	}
	if i.Width > 0 && i.Height > 0 {
		fmt.Fprintf(&b, " %d×%d", i.Width, i.Height)
	}
	if size := max(i.Size, int64(len(i.Data))); size > 0 {
		b.WriteString(", " + bytesText(size))
	}
	if i.Name != "" {
		b.WriteString(", file " + i.Name)
	}
	if i.URL != "" && !strings.HasPrefix(i.URL, "data:") {
		b.WriteString(", " + Clip(i.URL, maxURL))
	}
	return b.String() + "]"
}

// maxURL is how much of an image's URL a description has, in bytes.
const maxURL = 200

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// Described returns the message with its images described in its text, for a model that cannot see.
func (m Message) Described() Message {
	for _, i := range m.Images {
		if m.Text != "" {
			m.Text += "\n"
		}
		m.Text += i.String()
	}
	m.Images = nil
	return m
}

// Image returns an image of the request's messages with its data or its URL. One that is not kept any more is
// CodeNotFound.
func (r ModelRequest) Image(ctx context.Context, i Image) (Image, error) {
	if !i.IsReference() {
		return i, nil
	}
	if r.Load == nil {
		return i, Errorf(CodeNotFound, "the content of image %s is not here", i.SHA256)
	}
	data, err := r.Load(ctx, i.SHA256)
	i.Data = data
	return i, err
}

// An Artifact is a file that a tool returns. It becomes a file of the run's session, in place of one of the same name.
type Artifact struct {
	Name   string `json:"name"`            // reduced to a safe base name
	Type   string `json:"type,omitempty"`  // the media type that the tool declared
	Size   int64  `json:"size"`            // bytes; rein sets it
	SHA256 Hash   `json:"sha256,omitzero"` // rein sets it
	Data   []byte `json:"-"`
}
