package config

// Schedule says what holds for jobs.
type Schedule struct {
	EveryMinute bool  // an expression may fire in every minute
	Failures    int64 // in a row, after which a job is disabled; 0: it never is
	Micros      int64 // that the runs of all jobs of a user may cost in thirty days; 0: there is no limit
}

const maxFailures = 1000

func scheduleSections() []Key {
	return []Key{
		{"schedule.failures", "REIN_SCHEDULE_FAILURES", "", "after how many failures in a row a job is disabled; 0: never", whole(func(c *Config) *int64 { return &c.Schedule.Failures }, 0, maxFailures)},
		{"schedule.money", "REIN_SCHEDULE_MONEY", "", "what the runs of all jobs of a user may cost in 30 days, in your currency; then the job that spent it is disabled. 0: no limit", money(func(c *Config) *int64 { return &c.Schedule.Micros }, 0, 1_000_000_000_000)},
		{"schedule.every_minute", "REIN_SCHEDULE_EVERY_MINUTE", "", "allow cron expressions that fire more often than every other minute", boolean(func(c *Config) *bool { return &c.Schedule.EveryMinute })},
	}
}
