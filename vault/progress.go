package vault

import "time"

// Progress is how far indexing has come.
type Progress struct {
	Phase string        `json:"phase"` // "words" counts notes, "vectors" counts passages, "" is for at rest
	Done  int           `json:"done"`
	Total int           `json:"total"`
	Rate  float64       `json:"rate"` // per second
	Left  time.Duration `json:"left"` // 0: not known, or nothing
}

// A meter measures one phase.
type meter struct {
	vault *Vault
	phase string
	total int
	done  int
	start time.Time
	told  time.Time
}

func newMeter(v *Vault, phase string, total int) *meter {
	return &meter{vault: v, phase: phase, total: total, start: time.Now()}
}

// tellEvery keeps a quick phase from flooding whoever listens.
const tellEvery = 100 * time.Millisecond

func (m *meter) add(n int) {
	m.done += n
	m.total = max(m.total, m.done)
	if time.Since(m.told) >= tellEvery || m.done == m.total {
		m.tell()
	}
}

func (m *meter) tell() {
	m.told = time.Now()
	p := Progress{Phase: m.phase, Done: m.done, Total: m.total}
	if took := time.Since(m.start).Seconds(); m.done > 0 && took > 0 {
		p.Rate = float64(m.done) / took
		p.Left = time.Duration(float64(m.total-m.done) / p.Rate * float64(time.Second)).Round(time.Second)
	}
	m.vault.tell(p)
}

// end says that the vault rests, unless another phase is under way.
func (m *meter) end() {
	if m.vault.Progress().Phase == m.phase {
		m.vault.tell(Progress{})
	}
}

func (v *Vault) tell(p Progress) {
	v.telling.Lock()
	defer v.telling.Unlock()
	v.mu.Lock()
	v.working = p
	v.mu.Unlock()
	if v.progress != nil {
		v.progress(p)
	}
}

// Progress returns how far indexing has come.
func (v *Vault) Progress() Progress {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.working
}
