package io.sdds.testkit.sim;

/**
 * A rare event, which simulations must meet repeatedly to be useful: a fault that had an effect, or a path that is
 * seldom taken.
 */
public enum RareEvent {
    // ---- faults, counted where they take effect
    SLOWED("a send was slowed down by a fault"),
    CLOGGED("a send was held up by a clogged way"),
    PARTITIONED("a send was held up by a symmetric partition"),
    PARTITIONED_ONE_WAY("a send was held up by a one-way partition"),
    CONNECTION_LOST("a connection was lost"),
    TAIL_LOST("bytes on their way were lost with their connection"),
    VANISHED("a connection vanished without a word to its ends"),
    HALF_OPEN_GIVEN_UP("an end of a lost connection of which it had not heard gave it up"),
    UNREAD_GIVEN_UP("a connection was given up whose other end read nothing"),
    DIAL_REFUSED("a dial was refused"),
    DIAL_UNANSWERED("a dial was never answered"),
    FLIPPED("a bit was flipped on its way"),
    STRANGER("somebody sent what makes no sense"),
    CUT("a send or read was cut at some byte"),
    DUPLICATED("a write reached a brick over two connections"),
    REORDERED("a write's earlier copy arrived behind a later one"),
    PAUSED("a node had events waiting while it was paused"),
    STRAINED("a node worked many times slower"),
    CLOCK_DRIFTED("a clock ran at another rate"),
    CLOCK_JUMPED("a clock leapt ahead, and timers with it"),
    SQUEEZED("a brick's memory was short for a time"),
    DATAGRAM_LOST("a datagram was lost"),
    DATAGRAM_DOUBLED("a datagram came twice"),
    DATAGRAM_OVERTAKEN("a datagram came long after others"),
    BRICK_CRASHED("a brick's process died"),
    OLD_PROCESS_BACK("a brick's old process came back beside the one that took its place"),
    LOSS_ACCEPTED("the loss of partitions was accepted"),
    LOSS_NOT_ACCEPTED("the loss of partitions was not accepted, since their last process might still run"),
    CRASHED_WITHOUT_LEADER("a brick's process died while no coordinator led"),
    TWO_BRICKS_DOWN("a brick's process died while another brick was down"),
    COORDINATOR_CRASHED("the coordinator's process died"),
    CLIENT_CRASHED("a client's process died"),
    LEADER_CHANGED("another coordinator was elected"),
    LEADER_UNCONFIRMED("a coordinator that was not or no more confirmed was asked"),
    COMMAND_LOST("a command that was proposed was lost with its leader"),
    COMMAND_INHERITED("a command was committed by the leader after the one that proposed it"),
    SNAPSHOT_TAKEN("a coordinator that was behind took a snapshot"),

    // ---- paths of requests
    FORWARDED("a request was forwarded for its address"),
    FORWARDED_TWICE("a request was forwarded twice for its address"),
    FORWARDED_FOR_PLACE("a request was forwarded for its place"),
    PARKED_AT_PARENT("a write waited for the switch at the parent"),
    PARKED_AT_CHILD("a request waited at a child that did not serve yet"),
    BUSY("a request was refused BUSY"),
    MEMORY_FULL("a write was refused for want of memory"),
    REDIRECTED("a request was answered REDIRECT"),
    TOO_FEW_COPIES("a write was refused for want of copies"),
    STALE_REQUEST("a write of an ended session was refused"),
    LOST("a client was told that a partition is lost"),
    UNKNOWN("a request was told that its outcome is unknown"),
    ANSWERED_AGAIN("a write that had run was answered from its result"),
    FRAGMENTED("a message was sent in fragments"),
    LINK_FULL("a link was full"),
    READING_PAUSED("a connection was not read for a time"),
    SCAN_ABANDONED("a client gave a scan up half way"),
    SCAN_RESUMED("a client went on with a scan where another left it"),
    CLEARED("a clear came to its end"),
    DATAGRAM_TAKEN("a brick took a request that came as a datagram"),
    DATAGRAM_UNANSWERED("a client sent what had left as a datagram over its connections"),
    LOOKED_UP("a client looked partitions up in the index"),
    INDEX_DIVIDED("the index was in several partitions"),

    // ---- paths of replica groups
    GROUP_ENTRY("a write was prepared at another member"),
    GROUP_INHERITED("a new primary prepared again what the one before had not decided"),
    GROUP_CONFIRMED("a member without a lease asked the others before it answered a read"),
    GROUP_JOINED("a brick became a member of a group"),
    COPY_RESUMED("a copy went on over another link"),
    SLICE_SENT_AGAIN("a slice that had not come was sent again over another link"),
    GROUP_SPLIT("a group handed half of its partition over to another"),
    GROUP_SPLIT_TRIED_AGAIN("the members of a child's group were asked twice whether they have all"),
    GROUP_SPLIT_GIVEN_UP("a group's split was given up"),
    GROUP_SPLIT_INHERITED("a new primary found a HANDOVER that was not decided"),
    GROUP_MERGED("a group absorbed the group that had split from it"),
    GROUP_MERGE_GIVEN_UP("a group's merge was given up"),
    GROUP_MERGE_INHERITED("a new primary found a SUBSUME that was not decided"),
    GROUP_ABSORB_INHERITED("a new primary found an ABSORB that was not decided"),
    GROUP_LEFT("a brick was told to leave a group"),
    GROUP_STUCK("a member had no memory for what its group was to decide"),
    GROUP_MISSED("a brick said that its groups waited in vain for another's votes"),
    DRAINED("a brick was drained, and its process ended"),
    DRAIN_REFUSED("a brick could not be drained"),
    DRAIN_CANCELLED("a brick's drain was cancelled"),

    // ---- paths of parity groups
    PARITY_SWEPT("a log dropped records that had expired"),
    PARITY_CLEARED("a log dropped records that were cleared"),
    PARITY_STUCK("a parity had no memory for what its group was to decide"),
    RANK_REUSED("a record got the rank of one that was removed"),
    RANKS_DENSIFIED("a log moved records into the holes of its ranks"),
    RECORD_GROWN("a record grew at its parities"),
    RECORD_SHRUNK("a record shrank at its parities"),
    DEGRADED_READ("a get of a lost column was answered with a decoded record"),
    DEGRADED_READ_WITHOUT_LEASE("a get of a lost column waited, because the brick had no lease"),
    DECODED_WITH_TWO_UNKNOWN("records were decoded while two columns were unknown"),
    DECODING_REFUSED("records of a column did not fit the log that a parity had folded"),
    PULLED_BY_READ("a read waited for a record that was being recovered"),
    PULLED_BY_WRITE("a write waited for a record that was being recovered"),
    LATE_RECORD_IGNORED("a decoded record came for a rank whose record was there"),
    COLUMN_RECOVERED("a lost column had all its records again"),
    JOIN_BEGUN_AGAIN("a parity that joins began again"),
    PARITY_REBUILT("a parity was rebuilt"),
    PARITY_ALTERED("the number of parities of a table was changed"),
    LEAD_DIED("a parity died while it led a lost column"),
    SPARE_DIED_EARLY("a spare died before it was primary"),
    SPARE_DIED_AS_PRIMARY("a spare died after it became primary"),
    JOINING_PARITY_DIED("a parity died while it joined"),
    COLUMN_MOVED("a column moved to another brick with its ranks"),
    COLUMN_STAYED("a column that was handed over stayed, because the order was gone"),

    // ---- paths of control
    SESSION_RENEWED("a session was renewed"),
    SESSION_ENDED("a session ended by its lease"),
    SESSION_REPLACED("a client opened another session"),
    SPLIT_ABANDONED("a split was given up"),
    SPLIT_STARTED_OVER("a shipping began again"),
    SHIPPING_REFUSED("a shipping was refused for want of memory"),
    MOVED("a partition of one copy was handed over to another brick"),
    MOVE_GIVEN_UP("a move was given up"),
    TABLES_SPLIT_AT_ONCE("a table's partition was handed over while one of another table was on its way"),
    MERGED("a partition's records were handed over to the one it had split from"),
    MAP_AHEAD("a map update was sent before its brick had taken the one before"),
    REGISTERED_AGAIN("a brick registered again on a new link");

    private final String what;

    RareEvent(String what) {
        this.what = what;
    }

    /** Description of the event. */
    public String what() {
        return what;
    }
}
