// Package oci writes a container image with rein in it as a tar of an OCI image layout, which podman, skopeo, docker
// and containerd load. It needs no daemon. The same inputs give the same bytes.
package oci

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"time"
)

// An Image is what goes into the file.
type Image struct {
	Name    string // such as rein:v1.2.0
	Version string
	Arch    string // as Go names it
	Made    time.Time
	Binary  []byte // static, for Linux
	CA      []byte // certificates that TLS trusts, as PEM; nil: none
}

// Media types of the OCI image specification.
const (
	mediaIndex    = "application/vnd.oci.image.index.v1+json"
	mediaManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaConfig   = "application/vnd.oci.image.config.v1+json"
	mediaLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// Where things are in the image.
const (
	User       = "65532:65532" // neither root nor anybody of the host
	DataFolder = "/data"
	BinaryPath = "/usr/local/bin/rein"
	caPath     = "/etc/ssl/certs/ca-certificates.crt" // where Go looks for it
)

// A Descriptor names a blob by its content.
type Descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Platform    *Platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// A Platform is what an image runs on.
type Platform struct {
	Arch string `json:"architecture"`
	OS   string `json:"os"`
}

// An Index is index.json: the images in the layout.
type Index struct {
	Schema    int          `json:"schemaVersion"`
	MediaType string       `json:"mediaType"`
	Manifests []Descriptor `json:"manifests"`
}

// A Manifest is an image: its config and its layers.
type Manifest struct {
	Schema    int          `json:"schemaVersion"`
	MediaType string       `json:"mediaType"`
	Config    Descriptor   `json:"config"`
	Layers    []Descriptor `json:"layers"`
}

// A Config says how the image runs.
type Config struct {
	Created time.Time `json:"created"`
	Arch    string    `json:"architecture"`
	OS      string    `json:"os"`
	Config  Process   `json:"config"`
	RootFS  RootFS    `json:"rootfs"`
	History []History `json:"history"`
}

// A Process is what runs in the container.
type Process struct {
	User       string              `json:"User"`
	Ports      map[string]struct{} `json:"ExposedPorts"`
	Env        []string            `json:"Env"`
	Entrypoint []string            `json:"Entrypoint"`
	Volumes    map[string]struct{} `json:"Volumes"`
	WorkingDir string              `json:"WorkingDir"`
	Labels     map[string]string   `json:"Labels"`
	StopSignal string              `json:"StopSignal"`
}

// RootFS names the layers by their content before compression.
type RootFS struct {
	Type  string   `json:"type"`
	Diffs []string `json:"diff_ids"`
}

// History says what made a layer.
type History struct {
	Created time.Time `json:"created"`
	By      string    `json:"created_by"`
}

// dockerManifest is for docker load of versions that do not read OCI layouts.
type dockerManifest struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// Write writes the image.
func (i *Image) Write(to io.Writer) error {
	if len(i.Binary) == 0 || i.Name == "" || i.Arch == "" || i.Made.IsZero() {
		return errors.New("an image needs a name, an architecture, a time and a binary")
	}
	made := i.Made.UTC().Truncate(time.Second)
	config := i.config(made)
	manifest := Manifest{Schema: 2, MediaType: mediaManifest}
	var blobs []blob
	for _, l := range i.layers() {
		b, diff, err := l.pack(made)
		if err != nil {
			return fmt.Errorf("pack a layer: %w", err)
		}
		blobs = append(blobs, b)
		manifest.Layers = append(manifest.Layers, b.as(mediaLayer))
		config.RootFS.Diffs = append(config.RootFS.Diffs, diff)
		config.History = append(config.History, History{made, l.what})
	}
	configBlob, err := jsonBlob(config)
	if err != nil {
		return err
	}
	manifest.Config = configBlob.as(mediaConfig)
	manifestBlob, err := jsonBlob(manifest)
	if err != nil {
		return err
	}
	top := manifestBlob.as(mediaManifest)
	top.Platform = &Platform{i.Arch, "linux"}
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": i.Version, "io.containerd.image.name": i.Name}
	return writeLayout(to, made, append(blobs, configBlob, manifestBlob), top, dockerManifest{
		Config: configBlob.path(), RepoTags: []string{i.Name}, Layers: paths(blobs),
	})
}

func (i *Image) config(made time.Time) Config {
	return Config{
		Created: made, Arch: i.Arch, OS: "linux", RootFS: RootFS{Type: "layers"},
		Config: Process{
			User: User, WorkingDir: DataFolder, StopSignal: "SIGTERM",
			Ports: map[string]struct{}{"7717/tcp": {}}, Volumes: map[string]struct{}{DataFolder: {}},
			Env:        []string{"PATH=" + path.Dir(BinaryPath), "HOME=" + DataFolder, "REIN_DATA=" + DataFolder, "XDG_CONFIG_HOME=/etc"},
			Entrypoint: []string{BinaryPath, "serve"},
			Labels:     map[string]string{"org.opencontainers.image.title": "rein", "org.opencontainers.image.version": i.Version, "org.opencontainers.image.licenses": "Apache-2.0"},
		},
	}
}

func jsonBlob(value any) (blob, error) {
	text, err := json.Marshal(value)
	return newBlob(text), err
}

// writeLayout writes the files of the layout.
func writeLayout(to io.Writer, made time.Time, blobs []blob, top Descriptor, docker dockerManifest) error {
	files := layer{
		{name: "oci-layout", data: []byte(`{"imageLayoutVersion":"1.0.0"}`), mode: 0o644},
		{name: "blobs", mode: 0o755, dir: true},
		{name: "blobs/sha256", mode: 0o755, dir: true},
	}
	seen := map[string]bool{}
	for _, b := range blobs {
		if !seen[b.digest] { // two layers may be the same
			files = append(files, entry{name: b.path(), data: b.data, mode: 0o644})
		}
		seen[b.digest] = true
	}
	index, err := json.Marshal(Index{Schema: 2, MediaType: mediaIndex, Manifests: []Descriptor{top}})
	if err != nil {
		return err
	}
	names, err := json.Marshal([]dockerManifest{docker})
	if err != nil {
		return err
	}
	files = append(files, entry{name: "index.json", data: index, mode: 0o644}, entry{name: "manifest.json", data: names, mode: 0o644})
	return files.write(to, made)
}
