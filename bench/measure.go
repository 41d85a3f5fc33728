package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ownCPU is the CPU time of this process, in seconds.
func ownCPU() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// ticks is how many of /proc's units of CPU time make a second, on every Linux there is.
const ticks = 100

// machineCPU is the CPU time of everything on this machine, in seconds; zero where /proc is missing.
func machineCPU() float64 {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(data), "\n")
	fields := strings.Fields(line)
	var sum float64
	for _, i := range []int{1, 2, 3, 6, 7, 8} { // all but idle, iowait and what guests took, which is counted already
		if i < len(fields) {
			sum += number(fields[i])
		}
	}
	return sum / ticks
}

// processCPU is the CPU time of another process, in seconds.
func processCPU(pid int) float64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ") // the name is before it
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	return (number(fields[11]) + number(fields[12])) / ticks
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return v
}

// memory reads a line of this process's memory, in kB.
func memory(name string) float64 { return memoryOf("self", name) }

// memoryOf reads a line of /proc/…/status, in kB.
func memoryOf(process, name string) float64 {
	data, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), name+":")
	if fields := strings.Fields(rest); len(fields) > 0 {
		return number(fields[0])
	}
	return 0
}

// settledRSS is the memory that this process needs after it has given back what it can, in kB.
func settledRSS() float64 {
	runtime.GC() // lets finalizers run before the next one
	debug.FreeOSMemory()
	return memory("VmRSS")
}

// storeBytes is the size of the databases in a folder once what is in their write-ahead logs has been
// moved to where it stays.
func storeBytes(dir string) (n int64, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := checkpoint(name); err != nil {
			return 0, err
		}
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		n += info.Size()
	}
	return n, nil
}

func checkpoint(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	var busy, logged, moved int
	err = db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved)
	if err == nil && busy != 0 {
		err = fmt.Errorf("checkpoint %s: it is in use", path)
	}
	return errors.Join(err, db.Close())
}

// A meter measures what this process, those that it works with and everything else use of the CPU.
type meter struct {
	spec                spec
	began               time.Time
	own, peers, machine float64
}

func startMeter(s spec) meter { return meter{s, time.Now(), ownCPU(), s.peersCPU(), machineCPU()} }

// peersCPU is the CPU time of the mock and, if there is one, of the server.
func (s spec) peersCPU() float64 {
	sum := processCPU(s.MockPID)
	if s.ServerPID != 0 {
		sum += processCPU(s.ServerPID)
	}
	return sum
}

// read puts the CPU time of this process, the wall time and the share of the machine that others
// had into the figures.
func (m meter) read(f figures) {
	wall, own := time.Since(m.began).Seconds(), ownCPU()-m.own
	others := machineCPU() - m.machine - own - (m.spec.peersCPU() - m.peers)
	f["wall_s"], f["cpu_s"] = wall, own
	f["others"] = max(0, others/(wall*float64(runtime.NumCPU())))
}

// percentile is the value that the given share of the values does not exceed.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(int(math.Ceil(p*float64(len(sorted))))-1, 0)]
}

func median(values []float64) float64 { return percentile(values, 0.5) }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// spread puts the median and the 99th percentile of times into the figures.
func (f figures) spread(name string, ms []float64) {
	f[name+"_p50"], f[name+"_p99"] = percentile(ms, 0.5), percentile(ms, 0.99)
}

// profile writes profiles of what happens until the returned function is called, if the spec says
// so.
func profile(s spec) (stop func() error, err error) {
	if s.Profile == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(s.Profile + ".cpu.prof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			return err
		}
		return writeAllocs(s.Profile + ".allocs.prof")
	}, nil
}

func writeAllocs(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return pprof.Lookup("allocs").WriteTo(file, 0)
}

// profileHeap writes a profile of the heap whenever it is notably larger than at the last one.
func profileHeap(ctx context.Context, path string) {
	for most := uint64(0); ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc < most+most/10 {
			continue
		}
		most = m.HeapAlloc
		if file, err := os.Create(path); err == nil {
			_ = pprof.Lookup("heap").WriteTo(file, 0)
			_ = file.Close()
			fmt.Fprintf(os.Stderr, "heap %d MB in use, %d MB of the system, %d MB idle, stacks %d MB\n", m.HeapAlloc>>20, m.HeapSys>>20, (m.HeapIdle-m.HeapReleased)>>20, m.StackInuse>>20)
		}
	}
}
