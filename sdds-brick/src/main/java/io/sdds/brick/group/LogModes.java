package io.sdds.brick.group;

/** Chooses what the logs of a stage do with their entries. */
public interface LogModes {
    /** The mode of a log that opens. */
    LogMode open(Replication log);

    /**
     * Begins to give ranks to the records of a partition without ranks.
     *
     * @return the mode that the log goes on with; {@code plain} if the partition is not ready yet
     */
    LogMode beginToRank(Replication log, PlainMode plain);
}
