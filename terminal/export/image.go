package export

import (
	"cmp"
	"context"
	"strings"

	"rein"
	kinds "rein/internal/picture"
	"rein/internal/units"
)

// images are the images of a message or a result, as they are in the log of a run.
func (x *exporter) images(ctx context.Context, run rein.RunID, all []rein.Image) (shown []picture) {
	for _, i := range all {
		shown = append(shown, *x.picture(i, func() ([]byte, error) {
			if i.IsReference() {
				return x.Client.Image(ctx, run, i.SHA256)
			}
			return i.Data, nil
		}))
	}
	return shown
}

// picture embeds an image if the page has room for it. What it is, its bytes say: whoever named it may have been wrong.
func (x *exporter) picture(i rein.Image, read func() ([]byte, error)) *picture {
	p := &picture{About: about(i), Name: i.Name}
	size := max(i.Size, int64(len(i.Data)))
	switch {
	case x.Form == Markdown:
		return p
	case i.URL != "" && len(i.Data) == 0:
		p.Why = "it is at " + rein.Clip(i.URL, 200) + ", and this page fetches nothing"
	case x.MaxImage == 0:
		p.Why = "images are left out"
	case size > x.MaxImage:
		p.Why = "it is larger than " + units.Size(x.MaxImage)
	case size > x.left:
		p.Why = "the images of this page have " + units.Size(MaxImages) + " already"
	}
	if p.Why != "" {
		return p
	}
	data, err := read()
	kind := kinds.Kind(data)
	switch {
	case err != nil:
		p.Why = "it is not kept any more"
	case kind == "":
		p.Why = "it is not " + kinds.Types
	case int64(len(data)) > min(x.MaxImage, x.left):
		p.Why = "it is larger than " + units.Size(min(x.MaxImage, x.left))
	default:
		p.Type, p.Data = kind, data
		x.left -= int64(len(data))
	}
	return p
}

// about describes an image in words.
func about(i rein.Image) string {
	i.Size = max(i.Size, int64(len(i.Data)))
	i.Data, i.URL, i.Name = nil, "", ""
	words := strings.TrimSuffix(strings.TrimPrefix(i.String(), "[image"), "]")
	return cmp.Or(strings.TrimSpace(words), "image")
}

// isPicture reports whether a file says that it is one that a page can embed.
func isPicture(kind string) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}
