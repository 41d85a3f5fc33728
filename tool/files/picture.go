package files

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"rein"
	"rein/internal/picture"
)

// headSize is how much of a file tells what it is.
const headSize = 512

// isPicture reports whether a file that begins so is an image. Its name does not matter, and a text that begins like
// an image stays a text.
func isPicture(head []byte) bool { return picture.Kind(head) != "" && !isText(head) }

// Picture is the Data of read_file of an image.
type Picture struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Hash   string `json:"hash"` // SHA-256, hex
	Bytes  int64  `json:"bytes"`
}

// readPicture returns a file as an image.
func readPicture(in *bufio.Reader, args readArgs, info fs.FileInfo) (rein.Done, error) {
	if args.FromLine > 1 || args.Lines > 0 {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%.200q is an image and has no lines: read it without from_line and lines", args.Path)
	}
	data, err := io.ReadAll(io.LimitReader(in, picture.MaxBytes+1))
	if err != nil {
		return rein.Done{}, fmt.Errorf("%.200q was not read to the end: %w", args.Path, cause(err))
	}
	image, err := picture.Look(rein.Image{Name: filepath.Base(filepath.FromSlash(args.Path)), Data: data})
	if err != nil {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%.200q cannot be shown: %w", args.Path, err)
	}
	sum := sha256.Sum256(data)
	about, err := json.Marshal(Picture{args.Path, image.Type, image.Width, image.Height, hex.EncodeToString(sum[:]), max(image.Size, info.Size())})
	text := fmt.Sprintf("%s is an image of %d×%d pixels.", args.Path, image.Width, image.Height)
	return rein.Done{Text: text, Data: about, Evidence: rein.EvidenceFile, Images: []rein.Image{image}}, err
}
