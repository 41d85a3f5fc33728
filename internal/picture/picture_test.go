package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"rein"
)

func asPNG(b *bytes.Buffer, i image.Image) error  { return png.Encode(b, i) }
func asJPEG(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) }
func asGIF(b *bytes.Buffer, i image.Image) error  { return gif.Encode(b, i, nil) }

// riff writes a WebP file with one chunk.
func riff(chunk string, body []byte) []byte {
	b := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(4+8+len(body)))...)
	b = append(append(b, "WEBP"...), chunk...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(body))), body...)
}

func lossless(width, height uint32) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{0x2f}, (width-1)|(height-1)<<14), make([]byte, 20)...)
}

// bomb is a small PNG that says it is huge.
func bomb(t *testing.T, side uint32) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	binary.BigEndian.PutUint32(data[16:], side)
	binary.BigEndian.PutUint32(data[20:], side)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// The bytes of an image say what it is, whatever its sender says.
func TestLook(t *testing.T) {
	vp8 := append([]byte{0, 0, 0, 0x9d, 0x01, 0x2a, 30, 0, 20, 0}, make([]byte, 20)...)
	vp8x := append([]byte{0, 0, 0, 0, 29, 0, 0, 19, 0, 0}, make([]byte, 20)...)
	for want, data := range map[string][]byte{
		"image/png": encodedGray(t, asPNG), "image/jpeg": encodedGray(t, asJPEG), "image/gif": encodedGray(t, asGIF),
		"image/webp": riff("VP8 ", vp8), "image/webp ": riff("VP8L", lossless(30, 20)), "image/webp  ": riff("VP8X", vp8x),
	} {
		got, err := Look(rein.Image{Type: "image/tiff", Data: data})
		if err != nil || got.Type != strings.TrimSpace(want) || got.Width != 30 || got.Height != 20 || got.Size != int64(len(data)) {
			t.Errorf("%s is %s: %v", want, got, err)
		}
		for _, cut := range []int{5, 12, 25, len(data) / 2, len(data) - 5} {
			if _, err := Look(rein.Image{Data: data[:min(cut, len(data)-1)]}); rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("%s, cut at %d of %d: %v", want, cut, len(data), err)
			}
		}
	}
}

func encodedGray(t *testing.T, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	i := image.NewGray(image.Rect(0, 0, 30, 20))
	for n := range i.Pix {
		i.Pix[n] = uint8(n * 7)
	}
	var b bytes.Buffer
	if err := encode(&b, i); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What no model takes is refused by its header alone: a small file that says it is a huge picture costs nothing.
func TestLookRefuses(t *testing.T) {
	for says, data := range map[string][]byte{
		"it is not an image":               []byte("<svg onload=alert(1)>"),
		"it is not an image: 0 bytes":      nil,
		"a model takes at most 8000×8000":  bomb(t, 60_000),
		"a model takes at most 8000×8000 ": riff("VP8L", lossless(16000, 16000)),
		"larger than 3.9 MB":               append(encodedGray(t, asPNG), make([]byte, MaxBytes)...),
		"is damaged":                       append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100)...),
		"0×0 pixels":                       riff("VP8 ", append([]byte{0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0}, make([]byte, 20)...)),
		"header is cut off or unknown":     riff("VP9 ", make([]byte, 30)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Look(rein.Image{Data: data})
		runtime.ReadMemStats(&after)
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), strings.TrimSpace(says)) {
			t.Errorf("%s: %v", says, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
			t.Errorf("%s: it took %d bytes", says, taken)
		}
	}
}

func FuzzLook(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte("\xff\xd8\xff\xc0"))
	f.Add([]byte("GIF89a"))
	f.Add(riff("VP8L", lossless(3, 4)))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Look(rein.Image{Data: data})
		if err == nil && (got.Width < 1 || got.Width > MaxSide || got.Height < 1 || got.Height > MaxSide || got.Type == "") {
			t.Errorf("%s", got)
		}
	})
}
