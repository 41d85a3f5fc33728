package sent

import (
	"context"
	"slices"

	"rein"
)

// Images returns messages of a request with the data of the images that they only name. An image that is not kept any
// more is described in the text.
func Images(ctx context.Context, r rein.ModelRequest, messages []rein.Message) ([]rein.Message, error) {
	loaded := false
	for i := range messages {
		if !slices.ContainsFunc(messages[i].Images, rein.Image.IsReference) {
			continue
		}
		if !loaded {
			messages, loaded = slices.Clone(messages), true
		}
		var err error
		if messages[i], err = withImages(ctx, r, messages[i]); err != nil {
			return nil, err
		}
	}
	return messages, nil
}

func withImages(ctx context.Context, r rein.ModelRequest, m rein.Message) (rein.Message, error) {
	gone, images := rein.Message{Text: m.Text}, m.Images
	m.Images = nil
	for _, i := range images {
		image, err := r.Image(ctx, i)
		switch {
		case rein.CodeOf(err) == rein.CodeNotFound:
			gone.Images = append(gone.Images, i)
		case err != nil:
			return m, err
		default:
			m.Images = append(m.Images, image)
		}
	}
	m.Text = gone.Described().Text
	return m, nil
}
