package probe

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"rein/app/config"
	"rein/internal/digest"
)

// A Memory keeps for a moment which models could be used, so that whoever asks twice in a row asks providers once. What
// could not be used is asked again: somebody may have just fixed it.
type Memory struct {
	File string // empty: nothing is kept
	Now  time.Time

	mu    sync.Mutex
	good  map[string]time.Time
	added bool
}

// moment is how long.
const moment = time.Minute

// Has reports whether the model could be used a moment ago, with this key.
func (m *Memory) Has(model config.Model, key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	at, ok := m.good[name(model, key)]
	return ok && m.Now.Sub(at) < moment && !at.After(m.Now)
}

// Keep notes that the model can be used.
func (m *Memory) Keep(model config.Model, key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	m.good[name(model, key)], m.added = m.Now, true
}

// Save writes what was noted, and only that which is not too old.
func (m *Memory) Save() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.File == "" || !m.added {
		return nil
	}
	for name, at := range m.good {
		if m.Now.Sub(at) >= moment || at.After(m.Now) {
			delete(m.good, name)
		}
	}
	data, err := json.Marshal(m.good)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.File), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(m.File), "models-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), m.File)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// load reads the file, once. What cannot be read was not kept.
func (m *Memory) load() {
	if m.good != nil {
		return
	}
	m.good = map[string]time.Time{}
	if data, err := os.ReadFile(m.File); err == nil && json.Unmarshal(data, &m.good) != nil {
		m.good = map[string]time.Time{}
	}
}

// name stands for a model with its key, and gives away neither.
func name(m config.Model, key string) string {
	return digest.Joined(16, m.Kind, m.Preset, m.BaseURL, m.API, m.Model, key)
}
