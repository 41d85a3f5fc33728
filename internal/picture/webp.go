package picture

import (
	"encoding/binary"
	"errors"
	"image"
)

var errWebP = errors.New("its header is cut off or unknown")

// webp reads the dimensions of a WebP file, of whichever of its three forms.
func webp(data []byte) (image.Config, error) {
	const first = 12 // RIFF, size, WEBP
	if len(data) < first+18 {
		return image.Config{}, errWebP
	}
	chunk, body := string(data[first:first+4]), data[first+8:]
	switch chunk {
	case "VP8X": // flags, then width and height less one, of three bytes each
		return image.Config{Width: 1 + uint24(body[4:]), Height: 1 + uint24(body[7:])}, nil
	case "VP8L":
		if body[0] != 0x2f {
			return image.Config{}, errWebP
		}
		bits := binary.LittleEndian.Uint32(body[1:])
		return image.Config{Width: 1 + int(bits&0x3fff), Height: 1 + int(bits>>14&0x3fff)}, nil
	case "VP8 ":
		if body[3] != 0x9d || body[4] != 0x01 || body[5] != 0x2a {
			return image.Config{}, errWebP
		}
		width, height := binary.LittleEndian.Uint16(body[6:]), binary.LittleEndian.Uint16(body[8:])
		return image.Config{Width: int(width & 0x3fff), Height: int(height & 0x3fff)}, nil
	}
	return image.Config{}, errWebP
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// riffSize is how long the file says it is.
func riffSize(data []byte) int { return 8 + int(binary.LittleEndian.Uint32(data[4:])) }
