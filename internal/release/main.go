// Command release makes what goreleaser has no part for: the bill of materials, the container image, and the manual
// page and completions of a package. make release calls it.
package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"rein/internal/release/oci"
	"rein/internal/release/sbom"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "sbom":
			return writeSBOM(args[1:])
		case "image":
			return writeImage(args[1:])
		case "texts":
			return writeTexts(args[1:])
		}
	}
	return errors.New("usage: release sbom BINARY FILE | image [FLAGS] | texts DIR")
}

// writeSBOM writes the bill of materials of a binary.
func writeSBOM(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: release sbom BINARY FILE")
	}
	document, err := sbom.Read(args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], document, 0o644)
}

// writeTexts writes what packages install beside the binary.
func writeTexts(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: release texts DIR")
	}
	rein := filepath.Join(args[0], "rein")
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-o", rein, "./cmd/rein")
	build.Env, build.Stderr = append(os.Environ(), "GOOS=", "GOARCH="), os.Stderr // it runs here
	if err := build.Run(); err != nil {
		return fmt.Errorf("build rein: %w", err)
	}
	defer os.Remove(rein)
	if err := writeUnits(args[0]); err != nil {
		return err
	}
	for name, words := range map[string][]string{
		"rein.1": {"man"}, "rein.bash": {"completion", "bash"}, "_rein": {"completion", "zsh"}, "rein.fish": {"completion", "fish"},
	} {
		text, err := exec.Command(rein, words...).Output()
		if err != nil {
			return fmt.Errorf("rein %s: %w", words[0], err)
		}
		if err := os.WriteFile(filepath.Join(args[0], name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeUnits writes the units of systemd, which find the binary where packages install it.
func writeUnits(dir string) error {
	for from, to := range map[string]string{"rein.service": "rein.service", "user/rein.service": "rein.user.service"} {
		unit, err := os.ReadFile(filepath.Join("examples", "systemd", from))
		if err != nil {
			return err
		}
		unit = bytes.ReplaceAll(unit, []byte("/usr/local/bin/"), []byte("/usr/bin/"))
		if err := os.WriteFile(filepath.Join(dir, to), unit, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// noCA is what stands for an image without certificates.
const noCA = "none"

// writeImage writes a container image.
func writeImage(args []string) error {
	flags := flag.NewFlagSet("release image", flag.ContinueOnError)
	binary := flags.String("binary", "", "the static `FILE` of rein for Linux")
	out := flags.String("o", "", "the `FILE` to write")
	version := flags.String("version", "", "the `VERSION`; default: the one that the binary has")
	ca := flags.String("ca", "/etc/ssl/certs/ca-certificates.crt", "the certificates that TLS trusts, a `FILE` of this machine, or none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *binary == "" || *out == "" || flags.NArg() > 0 {
		return errors.New("usage: release image -binary FILE -o FILE [-version VERSION] [-ca FILE|none]")
	}
	image, err := load(*binary)
	if err != nil {
		return err
	}
	if *version != "" {
		image.Version = *version
	}
	image.Name = "rein:" + strings.ReplaceAll(image.Version, "+", "-") // a tag has no plus
	if *ca != noCA {
		if image.CA, err = os.ReadFile(*ca); err != nil {
			return fmt.Errorf("read the certificates: %w: name another file with -ca, or -ca none for an image that can call no provider over TLS", err)
		}
	}
	var file bytes.Buffer
	if err := image.Write(&file); err != nil {
		return err
	}
	return os.WriteFile(*out, file.Bytes(), 0o644)
}

// load reads a binary, and what Go recorded in it. One that needs libraries would not start in an image without any.
func load(path string) (*oci.Image, error) {
	program, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a program for Linux: %w", path, err)
	}
	defer program.Close()
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP {
			return nil, fmt.Errorf("%s needs libraries of a system: build it with CGO_ENABLED=0", path)
		}
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	image := &oci.Image{Version: "devel", Made: time.Unix(0, 0).Add(time.Second)} // a binary without a commit has no time
	if v := info.Main.Version; v != "" && v != "(devel)" {
		image.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOARCH":
			image.Arch = s.Value
		case "vcs.time":
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil {
				image.Made = at
			}
		}
	}
	image.Binary, err = os.ReadFile(path)
	return image, err
}
