package io.sdds.brick.group;

import io.sdds.brick.partition.Request;

/** The records of a recovered column that are not here yet, at the column's primary. */
public interface MissingRecords {
    /** All records are here. */
    MissingRecords NONE = new MissingRecords() {
        @Override
        public boolean admits(Request request) {
            return true;
        }

        @Override
        public boolean isMissing(int rank) {
            return false;
        }

        @Override
        public int total() {
            return 0;
        }

        @Override
        public void flush() {}

        @Override
        public void tick() {}

        @Override
        public void stopServing() {}

        @Override
        public void end() {}
    };

    /** Whether a request may run now. Otherwise the request is kept until its record is here, or is answered BUSY. */
    boolean admits(Request request);

    /** Whether the record of a rank exists, and is not here yet. */
    boolean isMissing(int rank);

    /** Number of records that the column had when its recovery began. */
    int total();

    /** At the end of a turn: asks for records. */
    void flush();

    /** Each 100 ms: asks for lost records again, and answers requests that have waited too long. */
    void tick();

    /** Runs all waiting requests again, because this member serves no more. */
    void stopServing();

    /** Frees the requests that wait, because the column is complete, or the node or the group ends. */
    void end();
}
