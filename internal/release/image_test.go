package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rein/internal/labs"
	"rein/internal/release/oci"
)

// An archive is a tar that was read: its files by their names, and the headers.
type archive struct {
	files   map[string][]byte
	headers map[string]*tar.Header
}

func readTar(t *testing.T, from io.Reader) archive {
	t.Helper()
	a := archive{map[string][]byte{}, map[string]*tar.Header{}}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return a
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		a.files[h.Name], a.headers[h.Name] = data, h
	}
}

// blob returns what a descriptor names, and wants its size and its digest to be right.
func (a archive) blob(t *testing.T, d oci.Descriptor) []byte {
	t.Helper()
	data, ok := a.files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
	if !ok || int64(len(data)) != d.Size || digest(data) != d.Digest {
		t.Fatalf("blob %+v: there %t, %d bytes, %s", d, ok, len(data), digest(data))
	}
	return data
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func parse[T any](t *testing.T, data []byte) (value T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// anImage builds a program without cgo and puts it into images, twice. The bytes must be equal.
func anImage(t *testing.T, program string) archive {
	t.Helper()
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, []byte("-----BEGIN CERTIFICATE-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, program)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+runtime.GOARCH)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var made [][]byte
	for _, name := range []string{"one.tar", "two.tar"} {
		file := filepath.Join(dir, name)
		if err := run([]string{"image", "-binary", binary, "-o", file, "-version", "v1.2.0", "-ca", ca}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, data)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("the same program gives different images")
	}
	return readTar(t, bytes.NewReader(made[0]))
}

// The image is an OCI layout: every digest is right, the config runs rein as nobody in particular, and the layers unpack to a
// tree in which the binary starts.
//
// Plain: it compresses rein twice; the other tests of the package run the same code.
func TestImage(t *testing.T) {
	labs.Only(t) // it builds rein without cgo, which takes a minute the first time
	t.Parallel()
	layout := anImage(t, "rein/cmd/rein")
	if got := string(layout.files["oci-layout"]); got != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("oci-layout: %s", got)
	}
	index := parse[oci.Index](t, layout.files["index.json"])
	if len(index.Manifests) != 1 || index.Manifests[0].Platform.Arch != runtime.GOARCH {
		t.Fatalf("%+v", index)
	}
	manifest := parse[oci.Manifest](t, layout.blob(t, index.Manifests[0]))
	config := parse[oci.Config](t, layout.blob(t, manifest.Config))
	p := config.Config
	_, volume := p.Volumes["/data"]
	if p.User != "65532:65532" || !volume || !slices.Equal(p.Entrypoint, []string{"/usr/local/bin/rein", "serve"}) || !slices.Contains(p.Env, "REIN_DATA=/data") || config.OS != "linux" || config.Arch != runtime.GOARCH {
		t.Errorf("%+v", config)
	}
	if len(manifest.Layers) != 2 || len(config.RootFS.Diffs) != len(manifest.Layers) || len(config.History) != len(manifest.Layers) {
		t.Fatalf("%d layers, %+v", len(manifest.Layers), config.RootFS)
	}
	root := t.TempDir()
	for i, l := range manifest.Layers {
		unpackLayer(t, layout.blob(t, l), config.RootFS.Diffs[i], root)
	}
	if data, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt")); err != nil || !strings.HasPrefix(string(data), "-----BEGIN") {
		t.Errorf("certificates: %q, %v", data, err)
	}
	starts(t, root, config)
}

// unpackLayer unpacks a layer below root, and wants its content to have the digest of the config.
func unpackLayer(t *testing.T, packed []byte, diff, root string) {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(zip)
	if err != nil || digest(plain) != diff {
		t.Fatalf("the layer has %s, the config says %s (%v)", digest(plain), diff, err)
	}
	l := readTar(t, bytes.NewReader(plain))
	for _, name := range slices.Sorted(maps.Keys(l.headers)) {
		h, path := l.headers[name], filepath.Join(root, filepath.FromSlash(name))
		mode := h.FileInfo().Mode()
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, l.files[name], mode.Perm()); err != nil {
			t.Fatal(err)
		}
		if name == "data/" && (h.Uid != 65532 || h.Gid != 65532 || mode.Perm() != 0o700) || name == "tmp/" && mode&fs.ModeSticky == 0 {
			t.Errorf("%s has user %d and mode %v", name, h.Uid, mode)
		}
	}
}

// starts runs the binary of the tree: as the image's user with the tree as its whole file system if this test may do
// that, otherwise directly.
func starts(t *testing.T, root string, config oci.Config) {
	t.Helper()
	cmd := exec.Command(config.Config.Entrypoint[0], "version")
	cmd.Env, cmd.Dir = config.Config.Env, "/"
	if os.Getuid() == 0 {
		if err := os.Chmod(root, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	} else {
		cmd.Path = filepath.Join(root, config.Config.Entrypoint[0])
	}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "rein ") {
		t.Errorf("%v: %s", err, out)
	}
}

// What cannot be an image is refused with what to do.
func TestImageWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"usage: release sbom", nil},
		{"usage: release sbom", []string{"nothing"}},
		{"usage: release sbom BINARY FILE", []string{"sbom"}},
		{"usage: release texts DIR", []string{"texts"}},
		{"usage: release image", []string{"image"}},
		{"not a program for Linux", []string{"image", "-binary", text, "-o", text + ".tar"}},
	} {
		if err := run(c.args); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.args, err, c.says)
		}
	}
	if _, err := os.Stat(text + ".tar"); err == nil {
		t.Error("a file is left")
	}
}

// An image without certificates is made only if somebody asks for it.
func TestImageWithoutCA(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load(self); err != nil { // with cgo the test itself needs libraries
		if !strings.Contains(err.Error(), "build it with CGO_ENABLED=0") {
			t.Error(err)
		}
		return
	}
	err = run([]string{"image", "-binary", self, "-o", filepath.Join(dir, "x.tar"), "-ca", filepath.Join(dir, "none")})
	if err == nil || !strings.Contains(err.Error(), "-ca none") {
		t.Error(err)
	}
	if err := run([]string{"image", "-binary", self, "-o", filepath.Join(dir, "x.tar"), "-ca", "none"}); err != nil {
		t.Error(err)
	}
}
