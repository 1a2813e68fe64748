#!/bin/sh
# Runs esbuild ($TOCSIN_ESBUILD). Its long-lived process (--ping) bundles our own files. Without --ping it bundles one text that a
# stranger may have written. A few hundred characters can make it take all memory and never end, so it gets a limit on its CPU time
# (seconds) and its memory (KiB). Beyond them the system ends it, and what it prints then helps nobody.
case " $* " in
  *" --ping "*) exec "$TOCSIN_ESBUILD" "$@" ;;
esac
ulimit -t 2
ulimit -v 2000000 2>/dev/null
exec "$TOCSIN_ESBUILD" "$@" 2>/dev/null
