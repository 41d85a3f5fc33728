package oci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"
)

// ids is the number of the user and of the group that rein runs as.
const ids = 65532

// An entry is a file or a folder of an archive.
type entry struct {
	name string
	data []byte
	mode int64
	dir  bool
	mine bool // it belongs to the user of the image, not to root
}

// A layer is an archive of entries in this order: folders come before what is in them.
type layer []entry

// A named layer says in the image's history what it has.
type namedLayer struct {
	layer
	what string
}

// layers are what every image has, and the binary, which changes with each version.
func (i *Image) layers() []namedLayer {
	base := layer{
		folder("etc"), folder("etc/rein"), folder("etc/ssl"), folder("etc/ssl/certs"),
		text("etc/passwd", "root:x:0:0:root:/:/sbin/nologin\nrein:x:65532:65532:rein:/data:/sbin/nologin\n"),
		text("etc/group", "root:x:0:\nrein:x:65532:\n"),
		{name: "tmp", mode: 0o1777, dir: true},
		{name: DataFolder[1:], mode: 0o700, dir: true, mine: true},
	}
	what := "users, /data and /tmp"
	if i.CA != nil {
		base = append(base, entry{name: caPath[1:], data: i.CA, mode: 0o644})
		what += ", certificates of authorities"
	}
	binary := layer{folder("usr"), folder("usr/local"), folder("usr/local/bin"), {name: BinaryPath[1:], data: i.Binary, mode: 0o755}}
	return []namedLayer{{base, what}, {binary, "rein " + i.Version}}
}

func folder(name string) entry     { return entry{name: name, mode: 0o755, dir: true} }
func text(name, data string) entry { return entry{name: name, data: []byte(data), mode: 0o644} }

// write writes the archive. Nothing of this machine is in it: no user, no time but the one given.
func (l layer) write(to io.Writer, made time.Time) error {
	w := tar.NewWriter(to)
	for _, e := range l {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.data)), ModTime: made, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if e.dir {
			h.Name, h.Typeflag = e.name+"/", tar.TypeDir
		}
		if e.mine {
			h.Uid, h.Gid = ids, ids
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	return w.Close()
}

// pack compresses the layer, and returns the digest that it has before that.
func (l layer) pack(made time.Time) (packed blob, diff string, err error) {
	var plain, small bytes.Buffer
	if err := l.write(&plain, made); err != nil {
		return packed, "", err
	}
	zip, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		return packed, "", err
	}
	if _, err := zip.Write(plain.Bytes()); err != nil {
		return packed, "", err
	}
	if err := zip.Close(); err != nil {
		return packed, "", err
	}
	return newBlob(small.Bytes()), digestOf(plain.Bytes()), nil
}

// A blob is a file of the layout that is named by its content.
type blob struct {
	data   []byte
	digest string
}

func newBlob(data []byte) blob { return blob{data, digestOf(data)} }

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (b blob) path() string { return "blobs/sha256/" + b.digest[len("sha256:"):] }

func (b blob) as(media string) Descriptor {
	return Descriptor{MediaType: media, Digest: b.digest, Size: int64(len(b.data))}
}

func paths(blobs []blob) (all []string) {
	for _, b := range blobs {
		all = append(all, b.path())
	}
	return all
}
