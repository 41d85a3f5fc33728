//go:build release

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rein/internal/release/oci"
	"rein/internal/release/sbom"
)

const dist = "../../bin/dist"

// only returns the one file of bin/dist that the pattern names.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dist, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v (make release writes them)", pattern, found, err)
	}
	return found[0]
}

// Every file that people download has its checksum.
func TestDistChecksums(t *testing.T) {
	lines := string(read(t, filepath.Join(dist, "checksums.txt")))
	for _, pattern := range []string{"*_linux_amd64.tar.gz", "*_linux_arm64.tar.gz", "*_darwin_arm64.tar.gz", "*_amd64.deb", "*_arm64.deb", "*_linux_amd64.oci.tar", "*_linux_arm64.oci.tar", "*_linux_amd64.sbom.json", "*_linux_arm64.sbom.json", "*_darwin_arm64.sbom.json"} {
		file := only(t, pattern)
		sum := sha256.Sum256(read(t, file))
		if want := hex.EncodeToString(sum[:]) + "  " + filepath.Base(file) + "\n"; !strings.Contains(lines, want) {
			t.Errorf("checksums.txt has no line %q", want)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The package of Debian has the binary, the manual page, completions and units, where Debian keeps them.
func TestDistDeb(t *testing.T) {
	deb := only(t, "*_amd64.deb")
	out, err := exec.Command("dpkg-deb", "--contents", deb).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, path := range []string{
		"./usr/bin/rein", "./usr/share/man/man1/rein.1", "./usr/share/bash-completion/completions/rein", "./usr/share/zsh/vendor-completions/_rein",
		"./usr/share/fish/vendor_completions.d/rein.fish", "./usr/lib/systemd/system/rein.service", "./usr/lib/systemd/user/rein.service", "./usr/share/doc/rein/copyright",
	} {
		if !strings.Contains(string(out), " "+path+"\n") {
			t.Errorf("it has no %s:\n%s", path, out)
		}
	}
	dir := t.TempDir()
	if out, err := exec.Command("dpkg-deb", "--extract", deb, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if unit := string(read(t, dir+"/usr/lib/systemd/system/rein.service")); !strings.Contains(unit, "\nExecStart=/usr/bin/rein serve\n") {
		t.Errorf("the unit starts something else:\n%s", unit)
	}
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	version, err := exec.Command(dir+"/usr/bin/rein", "--version").CombinedOutput()
	if err != nil || !strings.Contains(string(version), "commit "+strings.TrimSpace(string(head))+" of 20") {
		t.Errorf("%v: %s", err, version)
	}
	field, err := exec.Command("dpkg-deb", "--field", deb, "Package", "Architecture").Output()
	if err != nil || string(field) != "Package: rein\nArchitecture: amd64\n" {
		t.Errorf("%v: %s", err, field)
	}
}

// An archive has the binary and what goes with it.
func TestDistArchive(t *testing.T) {
	for _, system := range []string{"linux_amd64", "linux_arm64", "darwin_arm64"} {
		zip, err := gzip.NewReader(bytes.NewReader(read(t, only(t, "*_"+system+".tar.gz"))))
		if err != nil {
			t.Fatal(err)
		}
		a := readTar(t, zip)
		for _, name := range []string{"rein", "LICENSE", "README.md", "man/rein.1", "completions/rein.bash", "completions/_rein", "completions/rein.fish", "systemd/system/rein.service", "systemd/user/rein.service"} {
			if len(a.files[name]) == 0 {
				t.Errorf("%s has no %s", system, name)
			}
		}
	}
}

// Each bill of materials names modules, and the images have binaries of their architecture in them.
func TestDistImagesAndSBOM(t *testing.T) {
	for _, system := range []string{"linux_amd64", "linux_arm64", "darwin_arm64"} {
		bom := parse[sbom.BOM](t, read(t, only(t, "*_"+system+".sbom.json")))
		if len(bom.Components) < 30 || bom.Metadata.Component.Name != "rein" || bom.Metadata.Timestamp == "" {
			text, _ := json.Marshal(bom.Metadata)
			t.Errorf("%s: %d components, %s", system, len(bom.Components), text)
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		layout := readTar(t, bytes.NewReader(read(t, only(t, "*_linux_"+arch+".oci.tar"))))
		index := parse[oci.Index](t, layout.files["index.json"])
		manifest := parse[oci.Manifest](t, layout.blob(t, index.Manifests[0]))
		config := parse[oci.Config](t, layout.blob(t, manifest.Config))
		if config.Arch != arch || config.Config.User != oci.User || len(config.RootFS.Diffs) != 2 {
			t.Errorf("%+v", config)
		}
		root := t.TempDir()
		for i, l := range manifest.Layers {
			unpackLayer(t, layout.blob(t, l), config.RootFS.Diffs[i], root)
		}
	}
}
