package ambient

import (
	"fmt"
	"text/template"
	"time"
)

func flow(t time.Time) (d time.Duration) {
	d = time.Since(t)               // want ambient
	now := time.Now                 // want ambient
	time.Sleep(d)                   // want ambient
	<-time.After(d)                 // want ambient chan
	_, _ = time.LoadLocation("UTC") // want ambient
	t = t.Local()                   // want ambient
	t = t.In(time.Local)            // want ambient
	fmt.Println(t, now)             // want ambient
	println("x")                    // want ambient
	_, _ = template.ParseFiles("x") // want ambient
	_ = fmt.Sprintln(t.After(t), t.UTC())
	return d
}

var _ = flow
