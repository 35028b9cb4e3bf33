package io.sdds.brick.stage;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Tables;
import io.sdds.core.node.Env;
import io.sdds.core.stage.Stage;
import java.util.function.IntPredicate;

/**
 * The objects that the parts of one stage share. Only the stage's thread uses them.
 *
 * @param env time, timers and buffers
 * @param stage the event queues, where background work is queued
 * @param map the cluster's map as this stage knows it
 * @param tables the partitions that this stage owns
 * @param store the records of these partitions
 * @param budget the memory of the whole brick
 * @param replies writes replies
 * @param peers links to other bricks
 * @param owned whether this stage owns the partitions of a number
 * @param busyHintMillis how long a client should wait after BUSY
 */
public record StageContext(
        Env env,
        Stage stage,
        BrickMap map,
        Tables tables,
        RecordStore store,
        MemoryBudget budget,
        Replies replies,
        Peers peers,
        IntPredicate owned,
        int busyHintMillis) {}
