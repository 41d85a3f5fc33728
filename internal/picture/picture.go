// Package picture finds out by its first bytes what an image is: PNG, JPEG, GIF or WebP, and how large. It never
// decodes pixels, so that a small file with a huge picture costs nothing.
package picture

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"

	"rein"
	"rein/internal/units"
)

// The largest image that providers take: 5 MiB once it is base64, and 8000 pixels each way.
const (
	MaxBytes = 5 << 20 / 4 * 3
	MaxSide  = 8000
)

// Types are the media types that are images here.
const Types = "PNG, JPEG, GIF or WebP"

// Kind returns the media type of an image, by its first bytes, or "" if it is none that models take.
func Kind(head []byte) string {
	switch kind := http.DetectContentType(head); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return kind
	}
	return ""
}

// Look returns the image with its type, size and dimensions set by what the data is. Data that is not an image, that
// is cut off, or an image too large for a model, is CodeInvalid.
func Look(i rein.Image) (rein.Image, error) {
	i.Type, i.Size = Kind(i.Data), int64(len(i.Data))
	if i.Type == "" {
		return i, rein.Errorf(rein.CodeInvalid, "it is not an image: %d bytes that look like %s, where %s is needed", len(i.Data), http.DetectContentType(i.Data), Types)
	}
	if err := fits(i.Type, i.Size); err != nil {
		return i, err
	}
	config, err := header(i.Type, i.Data)
	if err != nil {
		return i, rein.Errorf(rein.CodeInvalid, "it begins as %s and is damaged: %w", i.Type, err)
	}
	i.Width, i.Height = config.Width, config.Height
	switch {
	case i.Width < 1 || i.Height < 1:
		return i, rein.Errorf(rein.CodeInvalid, "it is %s of %d×%d pixels", i.Type, i.Width, i.Height)
	case i.Width > MaxSide || i.Height > MaxSide:
		return i, rein.Errorf(rein.CodeInvalid, "it is %s of %d×%d pixels; a model takes at most %d×%d: make it smaller", i.Type, i.Width, i.Height, MaxSide, MaxSide)
	case !isWhole(i.Type, i.Data):
		return i, rein.Errorf(rein.CodeInvalid, "it is %s and is cut off: its end is missing", i.Type)
	}
	return i, nil
}

// fits refuses what no model takes.
func fits(kind string, size int64) error {
	if size > MaxBytes {
		return rein.Errorf(rein.CodeInvalid, "it is %s and larger than %s, the most that a model takes: make it smaller", kind, units.Size(MaxBytes))
	}
	return nil
}

// header reads how large a picture is, and none of its pixels.
func header(kind string, data []byte) (image.Config, error) {
	switch kind {
	case "image/png":
		return png.DecodeConfig(bytes.NewReader(data))
	case "image/jpeg":
		return jpeg.DecodeConfig(bytes.NewReader(data))
	case "image/gif":
		return gif.DecodeConfig(bytes.NewReader(data))
	}
	return webp(data)
}

// isWhole reports whether the file has its end: a provider refuses a picture that is cut off, and with it the whole
// conversation.
func isWhole(kind string, data []byte) bool {
	switch kind {
	case "image/png":
		return bytes.Contains(tail(data), []byte("IEND\xaeB`\x82"))
	case "image/jpeg":
		return bytes.Contains(tail(data), []byte("\xff\xd9"))
	case "image/gif":
		return bytes.HasSuffix(bytes.TrimRight(data, "\x00"), []byte{0x3b})
	}
	return len(data) >= riffSize(data)
}

// tail is where a file ends; some programs write a little behind the picture.
func tail(data []byte) []byte { return data[max(0, len(data)-1024):] }
