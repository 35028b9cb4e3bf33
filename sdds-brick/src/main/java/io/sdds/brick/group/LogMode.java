package io.sdds.brick.group;

import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Request;

/**
 * Decides what happens to the entries of a log beside replication. {@link PlainMode} does nothing. A log of ranked
 * records has another rendering for parity members, and removes and moves records by entries of its own.
 *
 * <p>{@link LogModes} chooses the mode when the log opens. {@link #lead}, {@link #follow} and {@link #rank} may go on
 * with another mode, when a table is converted. {@link Replication} numbers, commits and cuts the entries, and calls
 * its mode at each of these steps.
 */
public interface LogMode {
    // ---- epochs

    /** This member leads an epoch from now on. Returns the mode that the log goes on with. */
    LogMode lead();

    /** Another member leads the epoch. Returns the mode that the log goes on with. */
    LogMode follow();

    // ---- writes, at the primary

    /**
     * Looks up the record that a write changes.
     *
     * @return false if the record is not known before an uncommitted entry of another key is committed
     */
    boolean look(Request request);

    /** Bytes of the entry of the write that was looked up last, in its longest rendering. */
    int entryBytes(int bytes);

    /** Takes what a new record needs beside its memory; false if there is none. */
    boolean takeForPut();

    /** The write is not proposed after {@link #takeForPut}. */
    void giveBack();

    /** How a CLEAR takes effect. */
    Gate.Clears clears();

    /** The next entry is a CLEAR. Its records have no other uncommitted entry. */
    void clears(Change change);

    /** Whether entries of the log name records by their ranks. */
    boolean namesRecords();

    // ---- entries

    /** The log begins behind a seq, without entries. */
    void begin(long seq);

    /** The primary has appended an entry to the log. */
    void appended();

    /** An entry is about to be applied to the bucket. */
    void applies(long seq, byte kind);

    /** The bucket has the effect of an entry. */
    void committed(long seq);

    /** No member needs the entries up to a seq any more. */
    void trim(long seq);

    /** The log in the rendering for parity members. */
    GroupLog deltas();

    // ---- room, of the renderings beside the log itself

    /** Bytes of long entries beyond their shares ({@link LongEntries}). */
    long excessBytes();

    /** Bytes of the entries, with the share of each long entry. */
    long shareBytes();

    /** Bytes of the uncommitted entries, with the share of each long entry. */
    long uncommittedBytes();

    // ---- background work

    /** As {@link Group#sweep}. */
    boolean sweep(int steps);

    /** As {@link Group#dropUnowned}. */
    boolean dropUnowned(int steps);

    /** As {@link Group#densify}. */
    boolean densify();

    /** As {@link Group#rank}. Returns the mode that the log goes on with. */
    LogMode rank(int looks);

    /** As {@link Group#isRanked}. */
    boolean isRanked();

    /** Each 100 ms: frees spare memory. */
    void releaseSpareMemory();

    /** The log ends here. */
    void release();
}
