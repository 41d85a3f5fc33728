package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rein"
)

// doneOf is what a model gets of a result. What is no text is named in it. An error that the tool reports is the call's.
func doneOf(r *sdk.CallToolResult) (rein.Done, error) {
	done := rein.Done{Evidence: rein.EvidenceNone}
	parts := []string{}
	for _, c := range r.Content {
		if image, ok := c.(*sdk.ImageContent); ok && len(image.Data) > 0 {
			done.Images = append(done.Images, rein.Image{Type: image.MIMEType, Data: image.Data})
		}
		if file, ok := fileOf(c, len(done.Files)+1); ok {
			done.Files = append(done.Files, file)
		}
		if text := partOf(c); text != "" {
			parts = append(parts, text)
		}
	}
	if r.StructuredContent != nil {
		data, err := json.Marshal(r.StructuredContent)
		if err != nil {
			return done, rein.Errorf(rein.CodeInvalid, "the structured content of the result cannot be read: %w", err)
		}
		if done.Data = data; len(parts) == 0 {
			parts = append(parts, string(data))
		}
	}
	done.Text = strings.Join(parts, "\n")
	if r.IsError {
		if done.Text == "" {
			done.Text = "the server reports an error and does not say which"
		}
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%s", done.Text)
	}
	return done, nil
}

// fileOf is a part of a result as a file of the session: a sound, or a resource that is no text. What an image shows a
// model sees.
func fileOf(c sdk.Content, n int) (rein.Artifact, bool) {
	switch c := c.(type) {
	case *sdk.AudioContent:
		return rein.Artifact{Name: fmt.Sprintf("sound-%d%s", n, endingOf(c.MIMEType)), Type: c.MIMEType, Data: c.Data}, len(c.Data) > 0
	case *sdk.EmbeddedResource:
		if r := c.Resource; r != nil && r.Text == "" && len(r.Blob) > 0 {
			return rein.Artifact{Name: nameOf(r.URI, fmt.Sprintf("resource-%d%s", n, endingOf(r.MIMEType))), Type: r.MIMEType, Data: r.Blob}, true
		}
	}
	return rein.Artifact{}, false
}

// nameOf is the last part of an address, or another name. The server does not choose a folder.
func nameOf(address, other string) string {
	u, err := url.Parse(address)
	if err != nil {
		return other
	}
	name := path.Base(cmp.Or(u.Path, u.Opaque))
	if name == "" || strings.Trim(name, "./\\") == "" || len(name) > 100 {
		return other
	}
	return name
}

// endings are the usual endings of the types that servers send, so that they do not depend on the machine.
var endings = map[string]string{
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/flac": ".flac", "audio/mp4": ".m4a",
	"application/pdf": ".pdf", "application/zip": ".zip", "image/png": ".png", "image/jpeg": ".jpg", "text/csv": ".csv", "application/json": ".json",
}

func endingOf(mime string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mime), ";")
	return cmp.Or(endings[strings.TrimSpace(kind)], ".bin")
}

// partOf is a part of a result as text.
func partOf(c sdk.Content) string {
	switch c := c.(type) {
	case *sdk.TextContent:
		return c.Text
	case *sdk.ImageContent:
		return fmt.Sprintf("[an image: %.80s, %d bytes]", c.MIMEType, len(c.Data))
	case *sdk.AudioContent:
		return fmt.Sprintf("[a sound: %.80s, %d bytes]", c.MIMEType, len(c.Data))
	case *sdk.ResourceLink:
		return fmt.Sprintf("[a resource: %.200s %.2000s]", c.Name, c.URI)
	case *sdk.EmbeddedResource:
		return resourceText(c.Resource)
	}
	return ""
}

// resourceText is the text of a resource, under its address.
func resourceText(r *sdk.ResourceContents) string {
	switch {
	case r == nil:
		return ""
	case r.Text == "" && len(r.Blob) > 0:
		return fmt.Sprintf("[%.2000s: %.80s, %d bytes]", r.URI, r.MIMEType, len(r.Blob))
	}
	return fmt.Sprintf("[%.2000s]\n%s", r.URI, r.Text)
}
