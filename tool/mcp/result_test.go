package mcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rein"
)

// Sounds and files that a server returns become files of the session, under names that the server cannot use to leave
// its folder; the model reads that they are there.
//
// Covers: RAO-41/mcp
func TestFilesOfResults(t *testing.T) {
	t.Parallel()
	done, err := doneOf(&sdk.CallToolResult{Content: []sdk.Content{
		&sdk.TextContent{Text: "here"},
		&sdk.AudioContent{Data: []byte("RIFF"), MIMEType: "audio/wav; rate=8000"},
		&sdk.AudioContent{MIMEType: "audio/wav"},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///etc/../../report.pdf", MIMEType: "application/pdf", Blob: []byte("%PDF")}},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "test:..", MIMEType: "what/ever", Blob: []byte{1}}},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "test://text", Text: "inside"}},
		&sdk.EmbeddedResource{},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []rein.Artifact{
		{Name: "sound-1.wav", Type: "audio/wav; rate=8000", Data: []byte("RIFF")},
		{Name: "report.pdf", Type: "application/pdf", Data: []byte("%PDF")},
		{Name: "resource-3.bin", Type: "what/ever", Data: []byte{1}},
	}
	if diff := cmp.Diff(want, done.Files); diff != "" {
		t.Error(diff)
	}
}
