MODULE VisionPick
  ! ABB RAPID: asks for a pick pose and moves there. Needs the option PC Interface. Not run on a controller yet.
  ! Change: address and port of the computer with Node-RED, tool, speeds, what the gripper does.
  VAR socketdev vision;
  VAR num visionCode := 208;
  VAR num visionCount := 0;
  VAR num visionScore := 0;
  VAR pose visionPose;

  PROC VisionConnect()
    SocketClose vision;
    SocketCreate vision;
    SocketConnect vision, "192.168.0.10", 8114 \Time:=5;
  ENDPROC

  ! Asks with "PICK" or "NEXT". TRUE: visionPose is where to grasp, in the robot's base.
  FUNC bool VisionAsk(string command)
    VAR robtarget here;
    VAR string answer := "";
    VAR num s1;
    VAR num s2;
    VAR num s3;
    VAR num ending;
    visionCode := 208;
    visionCount := 0;
    ! Where the flange is. In pieces: a RAPID string has at most 80 characters.
    here := CRobT(\Tool:=tool0 \WObj:=wobj0);
    SocketSend vision \Str:=command + " [";
    SocketSend vision \Str:=ValToStr(here.trans) + ",";
    SocketSend vision \Str:=ValToStr(here.rot) + "]\0A";
    ! One line of at most 80 characters. Longer than "Answer within" of the connection.
    SocketReceive vision \Str:=answer \Time:=10;
    ending := StrFind(answer, 1, "\0A");
    s1 := StrFind(answer, 1, ";");
    s2 := StrFind(answer, s1 + 1, ";");
    s3 := StrFind(answer, s2 + 1, ";");
    IF ending > StrLen(answer) OR s3 > StrLen(answer) RETURN FALSE;
    IF NOT StrToVal(StrPart(answer, 1, s1 - 1), visionCode) RETURN FALSE;
    IF NOT StrToVal(StrPart(answer, s1 + 1, s2 - s1 - 1), visionCount) RETURN FALSE;
    IF NOT StrToVal(StrPart(answer, s2 + 1, s3 - s2 - 1), visionScore) RETURN FALSE;
    IF NOT StrToVal(StrPart(answer, s3 + 1, ending - s3 - 1), visionPose) RETURN FALSE;
    RETURN visionCode = 0 AND visionCount > 0;
  ERROR
    IF ERRNO = ERR_SOCK_TIMEOUT OR ERRNO = ERR_SOCK_CLOSED THEN
      ! An answer that comes later must not be taken for the next one.
      SocketClose vision;
      RETURN FALSE;
    ENDIF
  ENDFUNC

  PROC VisionPickDemo()
    VAR robtarget there;
    VisionConnect;
    IF VisionAsk("PICK") THEN
      ! Configuration and external axes are those of the present position.
      there := CRobT(\Tool:=tool0 \WObj:=wobj0);
      there.trans := visionPose.trans;
      there.rot := NOrient(visionPose.rot);
      MoveL RelTool(there, 0, 0, -100), v100, fine, tool0;
      MoveL there, v50, fine, tool0;
      ! Close the gripper here.
      MoveL RelTool(there, 0, 0, -100), v100, fine, tool0;
    ELSE
      ! 208: no answer. Any other code: see docs/robots.md.
      TPWrite "vision: no pose, code " \Num:=visionCode;
    ENDIF
    SocketClose vision;
  ENDPROC
ENDMODULE
