package index

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"rein"
	"rein/vault/chunk"
	"rein/vault/minilm/quant"
)

// A slot is where the vectors of a passage stand; a count of zero means that it has none yet.
type slot struct {
	first uint32
	count uint32
}

// blockRows is how many vectors are read and held together.
const blockRows = 4096

// metaBytes is a line of the list of vectors: key, scale, which of how many windows.
const metaBytes = 16 + 4 + 2 + 2

// maxWindows bounds the windows of one passage.
const maxWindows = 64

// vectors are kept by what they were made of, in three files that only grow: small numbers that every
// search walks over and that are held in memory, the exact ones for the few that matter, and a list.
// Lines of the list are written when the other two are safe on disk, so that what is listed is whole
// even after a power cut; that is done for many at a time, since it is slow.
type vectors struct {
	dim    int
	rows   int
	slots  map[chunk.Hash]slot
	blocks [][]int8
	scale  []float32
	small  *os.File
	exact  *os.File
	list   *os.File

	pending []byte // lines that are not in the list yet
	listed  int    // rows that are
	synced  time.Time
}

// How much work a crash may undo.
const (
	pendingRows = 256
	pendingTime = time.Second
)

func vectorFiles(dir, name string) [3]string {
	return [3]string{filepath.Join(dir, name+".int8"), filepath.Join(dir, name+".float"), filepath.Join(dir, name+".list")}
}

func openVectors(dir, name string, dim int) (v *vectors, err error) {
	v = &vectors{dim: dim, slots: map[chunk.Hash]slot{}}
	defer func() {
		if err != nil {
			v.close()
		}
	}()
	for i, file := range vectorFiles(dir, name) {
		f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return v, err
		}
		*[]**os.File{&v.small, &v.exact, &v.list}[i] = f
	}
	return v, v.load()
}

func (v *vectors) close() {
	for _, f := range []*os.File{v.small, v.exact, v.list} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// load reads the list and the small numbers. A tail that a crash left is cut off.
func (v *vectors) load() error {
	list, err := io.ReadAll(v.list)
	if err != nil {
		return err
	}
	rows := len(list) / metaBytes
	for f, width := range map[*os.File]int{v.small: v.dim, v.exact: v.dim * 4} {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		rows = min(rows, int(info.Size())/width)
	}
	for at := 0; at < rows; {
		key, scale, which, count := readLine(list[at*metaBytes:])
		if which != 0 || count == 0 || at+count > rows {
			break
		}
		v.slots[key] = slot{uint32(at), uint32(count)}
		v.scale = append(v.scale, scale)
		for i := 1; i < count; i++ {
			_, scale, _, _ := readLine(list[(at+i)*metaBytes:])
			v.scale = append(v.scale, scale)
		}
		at += count
	}
	v.rows = len(v.scale)
	v.listed, v.synced = v.rows, time.Now()
	if err := v.truncate(); err != nil {
		return err
	}
	return v.loadBlocks()
}

func readLine(b []byte) (key chunk.Hash, scale float32, which, count int) {
	copy(key[:], b)
	scale = math.Float32frombits(binary.LittleEndian.Uint32(b[16:]))
	return key, scale, int(binary.LittleEndian.Uint16(b[20:])), int(binary.LittleEndian.Uint16(b[22:]))
}

func (v *vectors) truncate() error {
	return errors.Join(
		v.list.Truncate(int64(v.rows*metaBytes)),
		v.small.Truncate(int64(v.rows*v.dim)),
		v.exact.Truncate(int64(v.rows*v.dim*4)),
	)
}

func (v *vectors) loadBlocks() error {
	for at := 0; at < v.rows; at += blockRows {
		n := min(blockRows, v.rows-at)
		block := make([]int8, n*v.dim, blockRows*v.dim)
		if _, err := v.small.ReadAt(bytesOf(block), int64(at*v.dim)); err != nil {
			return err
		}
		v.blocks = append(v.blocks, block)
	}
	return nil
}

// A passageVectors is what was made of one passage: a vector for each window.
type passageVectors struct {
	key     chunk.Hash
	windows [][]float32
}

// write writes vectors; they are part of the searches after publish and safe after commit.
func (v *vectors) write(all []passageVectors) (publish func(), err error) {
	var small, exact, list []byte
	var scales []float32
	var slots []slot
	row := v.rows
	for _, p := range all {
		slots = append(slots, slot{uint32(row), uint32(len(p.windows))})
		for i, w := range p.windows {
			unit := normal(w)
			q := quant.Of(unit)
			small = append(small, bytesOf(q.Values)...)
			for _, x := range unit {
				exact = binary.LittleEndian.AppendUint32(exact, math.Float32bits(x))
			}
			list = append(list, p.key[:]...)
			list = binary.LittleEndian.AppendUint32(list, math.Float32bits(q.Scale))
			list = binary.LittleEndian.AppendUint16(list, uint16(i))
			list = binary.LittleEndian.AppendUint16(list, uint16(len(p.windows)))
			scales = append(scales, q.Scale)
			row++
		}
	}
	if _, err := v.small.WriteAt(small, int64(v.rows*v.dim)); err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "write vectors: %w", err)
	}
	if _, err := v.exact.WriteAt(exact, int64(v.rows*v.dim*4)); err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "write vectors: %w", err)
	}
	return func() {
		for i, p := range all {
			v.slots[p.key] = slots[i]
		}
		v.scale = append(v.scale, scales...)
		for at := 0; at < len(small); at += v.dim {
			v.appendRow(small[at : at+v.dim])
		}
		v.rows = row
		v.pending = append(v.pending, list...)
	}, nil
}

// isDue reports whether it is time for a commit.
func (v *vectors) isDue() bool {
	return len(v.pending) >= pendingRows*metaBytes || time.Since(v.synced) >= pendingTime
}

// commit makes safe what was written.
func (v *vectors) commit() error {
	if len(v.pending) == 0 {
		return nil
	}
	err := errors.Join(v.small.Sync(), v.exact.Sync())
	if err == nil {
		_, err = v.list.WriteAt(v.pending, int64(v.listed*metaBytes))
	}
	if err == nil {
		err = v.list.Sync()
	}
	if err != nil {
		return rein.Errorf(rein.CodeUnavailable, "write vectors: %w", err)
	}
	v.listed += len(v.pending) / metaBytes
	v.pending, v.synced = v.pending[:0], time.Now()
	return nil
}

func (v *vectors) appendRow(row []byte) {
	if n := len(v.blocks); n == 0 || len(v.blocks[n-1]) == blockRows*v.dim {
		v.blocks = append(v.blocks, make([]int8, 0, blockRows*v.dim))
	}
	last := &v.blocks[len(v.blocks)-1]
	for _, b := range row {
		*last = append(*last, int8(b))
	}
}

// exactRow reads the exact numbers of a row.
func (v *vectors) exactRow(row int, into []float32, buffer []byte) error {
	if _, err := v.exact.ReadAt(buffer[:v.dim*4], int64(row*v.dim*4)); err != nil {
		return rein.Errorf(rein.CodeUnavailable, "read a vector of the index: %w", err)
	}
	for i := range v.dim {
		into[i] = math.Float32frombits(binary.LittleEndian.Uint32(buffer[i*4:]))
	}
	return nil
}

// normal returns the vector with length 1.
func normal(w []float32) []float32 {
	sum := 0.0
	for _, x := range w {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(w))
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return out
	}
	by := 1 / math.Sqrt(sum)
	for i, x := range w {
		out[i] = float32(float64(x) * by)
	}
	return out
}
