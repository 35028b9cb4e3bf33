package io.sdds.brick.parity.log;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.LogMode;
import io.sdds.brick.group.LogModes;
import io.sdds.brick.group.PlainMode;
import io.sdds.brick.group.Replication;

/** Chooses {@link RankedMode} for the logs of ranked records, and {@link PlainMode} for all others. */
public final class RankedModes implements LogModes {
    private final Groups groups;

    public RankedModes(Groups groups) {
        this.groups = groups;
    }

    @Override
    public LogMode open(Replication log) {
        RankSpace ranks = log.partition().bucket().ranks().space();
        return ranks == null ? new PlainMode(this, log) : RankedMode.ranked(groups, this, log, ranks);
    }

    @Override
    public LogMode beginToRank(Replication log, PlainMode plain) {
        RankSpace ranks = new RankSpace(groups.store().slots());
        boolean begun = log.partition().bucket().ranks().beginPartly(ranks);
        return begun ? RankedMode.partlyRanked(groups, this, log, ranks) : plain;
    }
}
