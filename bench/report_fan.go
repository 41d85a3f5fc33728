package main

import (
	"context"
	"fmt"
)

// serveFan measures one run that many follow, and then what followers do to it that never read.
func (b *bench) serveFan(ctx context.Context) error {
	t := table{
		title: "serve: one run, followed over SSE (delay: from the provider's sending a token to its receipt by a follower)",
		head:  []string{"followers", "that never read", "tokens", "tokens/s received", "messages/s", "seen live", "delay p50 ms", "p99 ms", "run took s", "server CPU s", "RSS kB per follower, at rest", "at the highest", "others' CPU"},
	}
	var all []figures
	for _, size := range b.sizes.fan {
		f, err := b.withServer(ctx, size.spec("fanout"))
		if err != nil {
			return err
		}
		if err := size.check(f); err != nil {
			return err
		}
		all = append(all, f)
		t.add(fmt.Sprint(size.followers), fmt.Sprint(size.stuck), size.pace(), fixed(0, f["tokens_s"]), fixed(0, f["messages_s"]), fmt.Sprintf("%.1f %%", f["seen"]*100),
			fixed(2, f["delay_p50"]), fixed(2, f["delay_p99"]), fixed(2, f["run_s"]), fixed(2, f["server_cpu_s"]), fixed(0, f["idle_kb"]), fixed(0, f["peak_kb"]), b.others(f["others"]))
	}
	t.print(b.out)
	with, without := all[len(all)-1], all[len(all)-2]
	b.printSlowed("serve: what followers that never read do to one run and its other followers", []slowed{
		{"duration of the run, s", without["run_s"], with["run_s"], true},
		{"delay of the others p50, ms", without["delay_p50"], with["delay_p50"], false},
		{"delay of the others p99, ms", without["delay_p99"], with["delay_p99"], false},
		{"highest RSS of the server, MB", without["peak_mb"], with["peak_mb"], false},
	})
	return nil
}

func (size fan) spec(task string) spec {
	return spec{Task: task, Followers: size.followers, Stuck: size.stuck, Tokens: size.tokens, Delay: size.delay, Wide: size.wide, Places: size.places}
}

// pace says how the text comes.
func (size fan) pace() string {
	return fmt.Sprintf("%d of %d bytes, one in %d ms", size.tokens, size.wide, size.delay)
}

// check says whether those that never read were waited for; otherwise nothing was shown.
func (size fan) check(f figures) error {
	if f["blocked"] < float64(size.stuck) {
		return fmt.Errorf("%.0f followers are behind at the end; all %d that never read should be", f["blocked"], size.stuck)
	}
	return nil
}

// text is how many bytes a run writes.
func (size fan) text() float64 { return float64(size.tokens * size.wide) }

// maxTexts is how many times its text a live run may have in memory.
const maxTexts = 3.0

// texts is how many times its text a live run took. A verdict needs all of them to be live at once.
func (size fan) texts(f figures) (times, target, met string) {
	n := f["peak_kb"] * 1024 / size.text()
	switch {
	case size.wide != broad || size.stuck > 0:
		return fixed(2, n), "–", ""
	case size.places > 0 && f["live"] < float64(size.followers):
		return fixed(2, n), fmt.Sprintf("≤ %.0f", maxTexts), "not all were live"
	}
	return fixed(2, n), fmt.Sprintf("≤ %.0f", maxTexts), verdict(n, maxTexts)
}

// slowed is a figure without and with followers that never read.
type slowed struct {
	name          string
	without, with float64
	bounded       bool
}

func (b *bench) printSlowed(title string, rows []slowed) {
	t := table{title: title, head: []string{"what", "without", "with", "ratio", "target", ""}}
	for _, r := range rows {
		target, met, ratio := "–", "", r.with/r.without
		if r.bounded {
			target, met = fmt.Sprintf("≤ %.2f", maxSlowdown), verdict(ratio, maxSlowdown)
		}
		t.add(r.name, fixed(2, r.without), fixed(2, r.with), fixed(2, ratio), target, met)
	}
	t.print(b.out)
}

// serveLive measures many runs at once, each with a follower; and again with some that never read.
func (b *bench) serveLive(ctx context.Context) error {
	t := table{
		title: "serve: live runs, each with a follower, which joins when all have been started",
		head:  []string{"runs", "live at once", "that never read", "tokens", "all took s", "run p50 s", "p99 s", "tokens/s received", "seen live", "delay p50 ms", "p99 ms", "server CPU s", "highest RSS MB", "kB per live run", "× its text", "target", "", "others' CPU"},
	}
	var all []figures
	for _, size := range b.sizes.live {
		f, err := b.withServer(ctx, size.spec("live"))
		if err != nil {
			return err
		}
		if err := size.check(f); err != nil {
			return err
		}
		texts, target, met := size.texts(f)
		all = append(all, f)
		t.add(fmt.Sprint(size.followers), fixed(0, f["live"]), fmt.Sprint(size.stuck), size.pace(), fixed(2, f["wall_s"]), fixed(2, f["run_p50"]), fixed(2, f["run_p99"]),
			fixed(0, f["tokens_s"]), fmt.Sprintf("%.1f %%", f["seen"]*100), fixed(1, f["delay_p50"]), fixed(1, f["delay_p99"]),
			fixed(1, f["server_cpu_s"]), fixed(0, f["peak_mb"]), fixed(0, f["peak_kb"]), texts, target, met, b.others(f["others"]))
	}
	t.print(b.out)
	with, without := all[len(all)-1], all[len(all)-2]
	b.printSlowed("serve: what followers that never read do to live runs", []slowed{
		{"duration of the runs that have one p50, s", without["run_p50"], with["stuck_run_p50"], true},
		{"duration of the runs that have one p99, s", without["run_p99"], with["stuck_run_p99"], true},
		{"duration of the other runs p50, s", without["run_p50"], with["run_p50"], true},
		{"duration of the other runs p99, s", without["run_p99"], with["run_p99"], true},
		{"delay of those that read p50, ms", without["delay_p50"], with["delay_p50"], false},
		{"delay of those that read p99, ms", without["delay_p99"], with["delay_p99"], false},
		{"highest RSS of the server, MB", without["peak_mb"], with["peak_mb"], false},
	})
	return nil
}
