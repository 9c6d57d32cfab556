"""Measure answers against gold: question sets, measures, resumable runs, reports and plots."""
