package files_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"rein"
	"rein/tool/files"
)

// An image is returned as one, by what it is and not by its name; a text that begins like one stays a text.
func TestReadFileImages(t *testing.T) {
	i := image.NewGray(image.Rect(0, 0, 12, 8))
	var asPNG, asJPEG, asGIF bytes.Buffer
	must(t, png.Encode(&asPNG, i))
	must(t, jpeg.Encode(&asJPEG, i, nil))
	must(t, gif.Encode(&asGIF, i, nil))
	root, _ := folder(t, map[string]string{
		"pic.txt": asPNG.String(), "deep/photo.jpeg": asJPEG.String(), "move": asGIF.String(), "fake.png": "not a picture\n",
		"words": "GIF89a is how a GIF begins.\n", "cut.png": asPNG.String()[:asPNG.Len()-9], "huge.png": asPNG.String() + strings.Repeat("\x00", 4<<20),
	})
	for path, want := range map[string]string{"pic.txt": "image/png", "deep/photo.jpeg": "image/jpeg", "move": "image/gif"} {
		done, err := call(t, root, "read_file", args{"path": path})
		must(t, err)
		var data files.Picture
		must(t, json.Unmarshal(done.Data, &data))
		if len(done.Images) != 1 || done.Images[0].Type != want || done.Images[0].Width != 12 || data.Height != 8 || data.Path != path || data.Hash != hashOf(string(done.Images[0].Data)) {
			t.Errorf("%s: %+v, %d images", path, data, len(done.Images))
		}
		if strings.Contains(done.Images[0].Name, "/") || !strings.Contains(done.Text, "12×8") {
			t.Errorf("%s: %q, named %q", path, done.Text, done.Images[0].Name)
		}
	}
	for _, path := range []string{"fake.png", "words"} {
		if done, err := call(t, root, "read_file", args{"path": path}); err != nil || len(done.Images) > 0 || done.Text == "" {
			t.Errorf("%s: %q %v", path, done.Text, err)
		}
	}
	refused(t, root, "read_file", args{"path": "cut.png"}, rein.CodeInvalid, `"cut.png" cannot be shown`, "cut off")
	refused(t, root, "read_file", args{"path": "huge.png"}, rein.CodeInvalid, "larger than 3.9 MB")
	refused(t, root, "read_file", args{"path": "pic.txt", "from_line": 2}, rein.CodeInvalid, "is an image and has no lines")
}
