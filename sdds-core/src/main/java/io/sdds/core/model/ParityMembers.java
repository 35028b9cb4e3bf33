package io.sdds.core.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The processes that hold the parity partitions of a group, in the order of the parities' indexes.
 *
 * @param members k of them; {@link #MISSING} where a parity is lost and not replaced yet
 * @param inForce whether the group stands on parity: lost columns are decoded, and no column has backups. False while
 *     the group of a table that is being converted still stands on replicas. Then its columns are judged as replica
 *     groups, no parity leads a column, and nothing is decoded
 */
public record ParityMembers(List<Place.Member> members, boolean inForce) {
    /** In place of the process of a parity partition whose memory is gone. */
    public static final Place.Member MISSING = new Place.Member(Place.LOST, 0);

    public ParityMembers {
        members = List.copyOf(members);
    }

    /** The parities of a group that stands on parity. */
    public ParityMembers(List<Place.Member> members) {
        this(members, true);
    }

    /** Of a group that has lost all its parities. */
    public static ParityMembers missing(int parities) {
        return new ParityMembers(Collections.nCopies(parities, MISSING));
    }

    /** The parities, all of them missing, of a group that stands on replicas until it has them. */
    public static ParityMembers joining(int parities) {
        return missing(parities).inForce(false);
    }

    /** These parities, of a group that stands on parity, or on replicas. */
    public ParityMembers inForce(boolean force) {
        return new ParityMembers(members, force);
    }

    /** Whether the parity of an index has no process. */
    public boolean isMissing(int index) {
        return members.get(index).equals(MISSING);
    }

    /** The lowest index of a missing parity; -1 if none is missing. */
    public int firstMissing() {
        return members.indexOf(MISSING);
    }

    /**
     * Whether a column's place names a parity of the group as primary. Then the column is degraded: its own process is
     * lost, the parity leads its log and answers reads with decoded records, and writes wait.
     */
    public boolean leads(Place column) {
        return indexOf(column.primary()) >= 0;
    }

    /** These parities with another process, or {@link #MISSING}, at an index. */
    public ParityMembers with(int index, Place.Member member) {
        List<Place.Member> changed = new ArrayList<>(members);
        changed.set(index, member);
        return new ParityMembers(changed, inForce);
    }

    /** These parities as k of them: without the highest indexes, or with missing parities behind them. */
    public ParityMembers withCount(int k) {
        List<Place.Member> changed = new ArrayList<>(members.subList(0, Math.min(k, members.size())));
        changed.addAll(Collections.nCopies(k - changed.size(), MISSING));
        return new ParityMembers(changed, inForce);
    }

    /** The processes without the missing ones, in the order of their indexes. */
    public List<Place.Member> present() {
        return members.stream().filter(member -> !member.equals(MISSING)).toList();
    }

    /** The index of the parity that a process holds; -1 if it holds none of this group. */
    public int indexOf(Place.Member member) {
        return member.equals(MISSING) ? -1 : members.indexOf(member);
    }
}
