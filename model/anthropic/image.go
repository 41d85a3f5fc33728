package anthropic

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"rein"
)

// imageTypes are the kinds that the API takes.
var imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

func imageBlock(i rein.Image) (content, error) {
	if data, ok := strings.CutPrefix(i.URL, "data:"); ok && len(i.Data) == 0 {
		kind, text, isBase64 := strings.Cut(data, ";base64,")
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !isBase64 {
			return content{}, rein.Errorf(rein.CodeInvalid, "an image's data: URL cannot be read; it must be base64")
		}
		i = rein.Image{Type: kind, Data: decoded}
	}
	if len(i.Data) == 0 {
		if !strings.HasPrefix(i.URL, "https://") && !strings.HasPrefix(i.URL, "http://") {
			return content{}, rein.Errorf(rein.CodeInvalid, "an image has neither data nor an http(s) URL")
		}
		return content{Source: &imageSource{URL: i.URL, Type: "url"}, Type: "image"}, nil
	}
	kind := i.Type
	if kind == "" {
		kind = http.DetectContentType(i.Data)
	}
	if kind == "image/jpg" {
		kind = "image/jpeg"
	}
	if !slices.Contains(imageTypes, kind) {
		return content{}, rein.Errorf(rein.CodeInvalid, "an image is %q; the model takes %s", kind, strings.Join(imageTypes, ", "))
	}
	return content{Source: &imageSource{Data: base64.StdEncoding.EncodeToString(i.Data), MediaType: kind, Type: "base64"}, Type: "image"}, nil
}
