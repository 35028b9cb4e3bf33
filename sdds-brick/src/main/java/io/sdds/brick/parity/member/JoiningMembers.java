package io.sdds.brick.parity.member;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parity members of a stage that join their groups, and that the map does not name yet. */
public interface JoiningMembers {
    /** The map names this process as a parity member: its state from the join; null if it has none, or lacks some. */
    @Nullable
    ParityPartition adopt(int table, int group, int index);

    /** Number of columns that joining members protect. */
    int columns();

    /** Visits the columns of the members that join here. */
    void forEachColumn(Consumer<Column> action);
}
