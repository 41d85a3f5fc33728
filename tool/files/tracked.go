package files

import (
	"bytes"
	"encoding/binary"
	"io"
	"path"
)

// maxIndex is the most that is read of a list of what git tracks.
const maxIndex = 64 << 20

// tracked returns what the repository at the top of the folder tracks, with the folders that it is in. A list that cannot
// be read, or is not understood, is empty.
func (r *Root) tracked() map[string]bool {
	f, err := r.root.Open(".git/index")
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxIndex))
	if err != nil {
		return nil
	}
	all := map[string]bool{}
	for _, name := range indexNames(data) {
		for ; name != "." && !all[name]; name = path.Dir(name) {
			all[name] = true
		}
	}
	return all
}

// What a file with the format of git's index begins with, and what comes before each name: times, inode, mode, owner,
// size, a SHA-1 and flags. See gitformat-index(5).
const (
	indexHead  = 12
	beforeName = 62
)

// indexNames reads the names in an index. What does not look like one has none.
func indexNames(data []byte) (names []string) {
	if len(data) < indexHead || string(data[:4]) != "DIRC" {
		return nil
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	rest, last := data[indexHead:], ""
	for range count {
		if len(rest) < beforeName {
			return nil
		}
		head := beforeName
		if binary.BigEndian.Uint16(rest[beforeName-2:])&0x4000 != 0 && version >= 3 {
			head += 2 // more flags
		}
		if len(rest) < head {
			return nil
		}
		prefix, text := "", rest[head:]
		if version == 4 { // names share their beginning with the one before
			cut, n := indexNumber(text)
			if n == 0 || cut > len(last) {
				return nil
			}
			prefix, text, head = last[:len(last)-cut], text[n:], head+n
		}
		end := bytes.IndexByte(text, 0)
		if end < 0 {
			return nil
		}
		last = prefix + string(text[:end])
		names = append(names, last)
		size := head + end + 1
		if version < 4 {
			size = (head + end + 8) &^ 7 // filled up with zeros
		}
		if size > len(rest) {
			return nil
		}
		rest = rest[size:]
	}
	return names
}

// indexNumber reads a number of variable length; n is how many bytes it has, 0 if it has no end.
func indexNumber(data []byte) (value, n int) {
	for i, b := range data[:min(len(data), 5)] {
		if i > 0 {
			value++
		}
		value = value<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}
