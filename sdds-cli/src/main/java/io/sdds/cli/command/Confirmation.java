package io.sdds.cli.command;

import io.sdds.cli.terminal.Question;
import picocli.CommandLine.Option;

/**
 * Asks a person before a command destroys records. Scripts are not asked: a question is asked only when somebody sits
 * at a terminal and wants no JSON document.
 */
final class Confirmation {
    @Option(names = "--yes", description = "Do not ask. Without a terminal nothing is asked.")
    private boolean yes;

    /** Whether {@link #require} would ask. */
    boolean isAsked(SddsCommand sdds) {
        return !yes && !sdds.json() && Question.canBeAsked(sdds.screen());
    }

    /**
     * Goes on when the person agrees, or need not be asked.
     *
     * @param refused what has not happened, for the error
     * @throws CommandFailure when the person does not agree
     */
    void require(SddsCommand sdds, String question, String refused) {
        if (isAsked(sdds) && !Question.isAnsweredYes(sdds.screen(), question)) {
            throw CommandFailure.failed(refused);
        }
    }
}
