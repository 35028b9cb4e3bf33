package io.sdds.brick.group;

import io.sdds.brick.partition.Results;
import java.lang.foreign.MemorySegment;

/** The results that the entries of a log carry. A member that is no primary keeps them, because it may have to lead. */
public final class EntryResults {
    private EntryResults() {}

    /** Keeps the result of an entry, if it has one. */
    public static void keep(Results results, MemorySegment memory, int at) {
        long session = Entry.number(memory, at, Entry.SESSION);
        if (session != 0) {
            results.take(
                    session,
                    Entry.number(memory, at, Entry.SEQ),
                    Entry.number(memory, at, Entry.LOW),
                    Entry.number(memory, at, Entry.HASH),
                    Entry.status(memory, at),
                    Entry.number(memory, at, Entry.RESULT));
        }
    }

    /** Forgets the results of the entries behind a seq, which were never committed. */
    public static void forget(Results results, GroupLog log, long seq) {
        MemorySegment memory = log.memory();
        for (long gone = log.last(); gone > seq; gone--) {
            int at = log.index(gone);
            long session = Entry.number(memory, at, Entry.SESSION);
            if (session != 0) {
                results.forget(session, Entry.number(memory, at, Entry.SEQ));
            }
        }
    }
}
