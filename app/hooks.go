package app

import "rein/follow/hook"

// makeHooks makes the webhooks of users.
func (s *Service) makeHooks() {
	set := s.settings.Hooks
	s.hooks = hook.New(hook.Options{
		Store: &Data{Store: s.store, seen: s.seen}, Secrets: s.secrets, Book: s.book(), Talk: s.desk(), Who: s.people.Reached,
		Language: s.languageOf, Networks: set.Networks(), Hosts: set.Hosts(), Warn: s.log.Warn,
	})
	s.arrange.Channels = append(s.arrange.Channels, s.hooks)
	s.parts = append(s.parts, part{"hooks", s.hooks.Serve})
}
