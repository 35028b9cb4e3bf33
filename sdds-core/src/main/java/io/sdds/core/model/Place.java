package io.sdds.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a partition lives: its only copy, or the members of its replica group (Gribble et al. 2000). The first member
 * is the primary, which leads every write; the others back it up.
 *
 * @param brick number of the primary's brick, or {@link #LOST}
 * @param incarnation of that brick when the partition was placed there; another incarnation does not hold it
 * @param migration the migration that brought it there; 0: it was created there empty
 * @param epoch rises with each change of the partition's members, from 1 on, for one copy as for a group; of two places
 *     of a partition the one of the higher epoch is right
 * @param backups the other members, in the order in which they would follow the primary
 */
public record Place(int brick, long incarnation, long migration, long epoch, List<Member> backups) {
    /** The number of no brick: the partition's only memory is gone. */
    public static final int LOST = -1;

    /** The number of no brick: the table has no partition of that number (any more). */
    public static final int NONE = -3;

    /** The epoch of a partition that is as its table was created. */
    public static final long FIRST_EPOCH = 1;

    /** Of a number that no partition ever had. */
    public static final Place NOWHERE = new Place(NONE, 0, 0);

    public Place {
        backups = List.copyOf(backups);
    }

    /**
     * Of a partition whose only memory is gone.
     *
     * @param epoch of the place that is lost; the next members have a higher one
     */
    public static Place lost(long epoch) {
        return new Place(LOST, 0, 0, epoch, List.of());
    }

    /** Of a number whose partition was merged into another. */
    public static Place nowhere(long epoch) {
        return new Place(NONE, 0, 0, epoch, List.of());
    }

    /** A partition of one copy, as its table was created. */
    public Place(int brick, long incarnation, long migration) {
        this(brick, incarnation, migration, FIRST_EPOCH, List.of());
    }

    /**
     * A process of a brick that holds a copy (docs/design/groups.md, rule 3).
     *
     * @param brick its number
     */
    public record Member(int brick, long incarnation) {}

    /** The place of a group, primary first. */
    public static Place of(List<Member> members, long migration, long epoch) {
        Member primary = members.get(0);
        return new Place(primary.brick(), primary.incarnation(), migration, epoch, members.subList(1, members.size()));
    }

    public boolean lost() {
        return brick == LOST;
    }

    /** Whether no partition has the number whose place this is: a range partition's that was merged. */
    public boolean none() {
        return brick == NONE;
    }

    public Member primary() {
        return new Member(brick, incarnation);
    }

    /** All members, the primary first; none when it is lost or of no partition. */
    public List<Member> members() {
        if (lost() || none()) {
            return List.of();
        }
        List<Member> members = new ArrayList<>(1 + backups.size());
        members.add(primary());
        members.addAll(backups);
        return members;
    }

    /** Whether a process of a brick is a member. */
    public boolean has(int number, long ofIncarnation) {
        return brick == number && incarnation == ofIncarnation || backups.contains(new Member(number, ofIncarnation));
    }
}
